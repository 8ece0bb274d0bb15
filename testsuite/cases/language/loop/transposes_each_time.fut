-- case: run ( [[1i32, 2i32], [3i32, 4i32]] 3i32 )
-- The layout of the loop's array changes from iteration to iteration.
def main [n] (xss: [n][n]i32) (k: i32) = loop yss = xss for _i < k do transpose yss
-- ---
[[1i32, 3i32], [2i32, 4i32]]
