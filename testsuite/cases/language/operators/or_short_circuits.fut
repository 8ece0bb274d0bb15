-- case: run ( 0i32 )
def main (d: i32) = d == 0 || 10 / d > 1
-- ---
true
