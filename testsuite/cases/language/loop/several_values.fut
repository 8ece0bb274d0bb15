-- case: run ( 10i32 )
def main (n: i32) = loop (a, b) = (0i64, 1i64) for _i < n do (b, a + b)
-- ---
55i64
89i64
