-- case: run ( [1i64, 1i64, 0i64] )
-- Several writes to one place are fine when they write the same value.
def main [n] (is: [n]i64) = scatter [0i32, 0] is (replicate n 5)
-- ---
[5i32, 5i32]
