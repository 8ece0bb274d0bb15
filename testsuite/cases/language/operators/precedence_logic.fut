-- case: run ( true false 3i32 )
def main (a: bool) (b: bool) (x: i32) = (a || b && b, !b && a, x < 4 && x > 2 || b, x == 3 || a && b)
-- ---
true
true
true
true
