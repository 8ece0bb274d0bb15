-- case: run ( [[1i32, 2i32], [3i32, 4i32]] )
-- slice update of 2d
def main [n] (xs: *[n][n]i32) = let xs[:, 0] = replicate n 7 in xs
-- ---
[[7i32, 2i32], [7i32, 4i32]]
