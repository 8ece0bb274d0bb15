-- case: run ( [[1i32, 2i32], [3i32, 4i32]] )
-- map over arrays of tuples of arrays
def main [n][m] (xs: [n][m]i32) = map (\(r, i) -> (reduce (+) 0 r, i)) (zip xs (iota n))
-- ---
[3i32, 7i32]
[0i64, 1i64]
