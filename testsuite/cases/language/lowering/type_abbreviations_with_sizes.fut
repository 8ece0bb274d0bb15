-- case: run ( [[1i32, 2i32]] )
-- type abbreviations with sizes
type mat [n][m] = [n][m]i32
def tr [n][m] (a: mat [n] [m]): mat [m] [n] = transpose a
def main [n][m] (a: mat [n][m]) = tr a
-- ---
[[1i32], [2i32]]
