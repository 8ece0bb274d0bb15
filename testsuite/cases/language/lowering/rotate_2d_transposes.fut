-- case: run ( [[1i32, 2i32, 3i32]] )
-- rotate 2d, transposes
def main [n][m] (xs: [n][m]i32) = transpose (rotate 1 (transpose xs))
-- ---
[[2i32, 3i32, 1i32]]
