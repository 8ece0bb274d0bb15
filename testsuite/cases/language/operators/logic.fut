-- case: run ( true false )
def main (a: bool) (b: bool) = (a && b, a || b, !a, a == b, a != b, a && !b || b)
-- ---
false
true
false
false
true
true
