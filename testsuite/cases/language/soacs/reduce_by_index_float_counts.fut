-- case: run main ( 8i64 [0i64, 5, 0, 7, 5, 1, -3] [1f32, 2, 3, 4, 5, 6, 7] )
-- A sum of floats, a count and a greatest value for each cell.
entry main [n] (k: i64) (is: [n]i64) (xs: [n]f32) =
  unzip3 (reduce_by_index (replicate k (0f32, 0i32, i64.lowest)) (\(a, b, c) (d, e, f) -> (a + d, b + e, i64.max c f)) (0, 0, i64.lowest) is
                          (zip3 xs (replicate n 1) (indices xs)))
-- ---
-- [4.0f32, 6.0f32, 0.0f32, 0.0f32, 0.0f32, 7.0f32, 0.0f32, 4.0f32]
-- [2i32, 1i32, 0i32, 0i32, 0i32, 2i32, 0i32, 1i32]
-- [2i64, 5i64, -9223372036854775808i64, -9223372036854775808i64, -9223372036854775808i64, 4i64, -9223372036854775808i64, 3i64]
