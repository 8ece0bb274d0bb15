-- case: run ( 2i64 3i64 )
def grid (n: i64) (m: i64) (x: i32) : [n][m]i32 = replicate n (replicate m x)
def main (n: i64) (m: i64) = (grid n m 7, grid m n 1, map2 (map2 (+)) (grid n m 1) (grid n m 2))
-- ---
[[7i32, 7i32, 7i32], [7i32, 7i32, 7i32]]
[[1i32, 1i32], [1i32, 1i32], [1i32, 1i32]]
[[3i32, 3i32, 3i32], [3i32, 3i32, 3i32]]
