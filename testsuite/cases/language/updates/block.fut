-- case: run ( 4i64 )
def main (n: i64) = replicate n (replicate n 0i32) with [1:3, 2:4] = [[1, 2], [3, 4]]
-- ---
[[0i32, 0i32, 0i32, 0i32], [0i32, 0i32, 1i32, 2i32], [0i32, 0i32, 3i32, 4i32], [0i32, 0i32, 0i32, 0i32]]
