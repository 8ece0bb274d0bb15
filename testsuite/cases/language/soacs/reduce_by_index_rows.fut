-- case: run ( [1i64, 0i64, 1i64] [[1i32, 2i32], [3i32, 4i32], [5i32, 6i32]] )
def main [n][m] (is: [n]i64) (xss: [n][m]i32) = reduce_by_index (replicate 2 (replicate m 0)) (map2 (+)) (replicate m 0) is xss
-- ---
[[3i32, 4i32], [6i32, 8i32]]
