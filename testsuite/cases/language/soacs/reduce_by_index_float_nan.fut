-- case: run main ( 8i64 [0i64, 5, 0, 5, 1] [1f32, f32.nan, 2f32, 4f32, -0.5f32] )
-- What is no number stays in its cell.
entry main [n] (k: i64) (is: [n]i64) (xs: [n]f32) = reduce_by_index (replicate k 1f32) (+) 0 is xs
-- ---
-- [4.0f32, 0.5f32, 1.0f32, 1.0f32, 1.0f32, f32.nan, 1.0f32, 1.0f32]
