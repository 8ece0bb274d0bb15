-- case: run ( [[[1i32, 1i32], [0i32, 1i32]], [[1i32, 0i32], [1i32, 1i32]], [[2i32, 0i32], [0i32, 1i32]]] )
def matmul [n] (a: [n][n]i32) (b: [n][n]i32) = map (\r -> map (\c -> i32.sum (map2 (*) r c)) (transpose b)) a
def main [n] (ms: [][n][n]i32) = reduce matmul (tabulate_2d n n (\i j -> i32.bool (i == j))) ms
-- ---
[[4i32, 1i32], [2i32, 1i32]]
