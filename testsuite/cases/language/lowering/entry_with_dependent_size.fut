-- case: run ( 2i64 [1i32, 2i32] )
-- entry with dependent size
def main (n: i64) (xs: [n]i32) = n + i64.i32 (reduce (+) 0 xs)
-- ---
5i64
