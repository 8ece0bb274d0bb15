-- case: run ( 2i64 )
-- two results of function consumed separately
def two (n: i64) = (replicate n 1i32, replicate n 2i32) def main (n: i64) = let (a, b) = two n let a[0] = 7 in (a, b)
-- ---
[7i32, 1i32]
[2i32, 2i32]
