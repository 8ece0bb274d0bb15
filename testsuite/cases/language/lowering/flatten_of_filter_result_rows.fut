-- case: run ( [[1i32, 2i32], [3i32, 4i32]] )
-- flatten of filter result rows
def main [n][m] (xs: [n][m]i32) = flatten (filter (\r -> r[0] > 1) xs)
-- ---
[3i32, 4i32]
