-- case: run ( 2i64 )
-- scatter_2d
def main (n: i64) = scatter_2d (replicate 2 (replicate 2 0i32)) [(0, 1), (1, 0), (5, 5)] [1, 2, 3]
-- ---
[[0i32, 1i32], [2i32, 0i32]]
