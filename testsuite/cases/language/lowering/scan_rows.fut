-- case: run ( [[1i32, 2i32], [3i32, 4i32]] )
-- scan rows
def main [n][m] (xs: [n][m]i32) = scan (map2 (+)) (replicate m 0) xs
-- ---
[[1i32, 2i32], [4i32, 6i32]]
