-- case: run ( [[1i32, 0i32], [0i32, 0i32]] )
-- map of length of filter
def main [n] (xs: [n][n]i32) = map (\r -> length (filter (> 0) r)) xs
-- ---
[1i64, 0i64]
