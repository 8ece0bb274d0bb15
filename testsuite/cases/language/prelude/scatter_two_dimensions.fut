-- case: run ( 2i64 )
def main (n: i64) = scatter_2d (replicate n (replicate 3 0i32)) [(0, 1), (1, 2), (5, 0), (0, -1)] [7, 8, 9, 10]
-- ---
[[0i32, 7i32, 0i32], [0i32, 0i32, 8i32]]
