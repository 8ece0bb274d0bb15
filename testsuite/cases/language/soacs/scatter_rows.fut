-- case: run ( [2i64, 0i64, 5i64] [[1i32, 2i32], [3i32, 4i32], [5i32, 6i32]] )
def main [n][m] (is: [n]i64) (xss: [n][m]i32) = scatter (replicate 3 (replicate m 0)) is xss
-- ---
[[3i32, 4i32], [0i32, 0i32], [1i32, 2i32]]
