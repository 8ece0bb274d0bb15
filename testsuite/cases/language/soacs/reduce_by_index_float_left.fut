-- case: run main ( 8i64 [0i64, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 4] [1f32, -1, -1e-27, 1, -1, 1e-27, 1, -1, -1e-20, 1, 9.313226e-10, -0.75] )
-- What is left of either sign where greater values cancel, once with what a cell had before.
entry main [n] (k: i64) (is: [n]i64) (xs: [n]f32) = reduce_by_index (tabulate k (\i -> if i == 3 then -1f32 else f32.bool (i > 3))) (+) 0 is xs
-- ---
-- [-1e-27f32, 1e-27f32, -1e-20f32, 9.313226e-10f32, 0.25f32, 1.0f32, 1.0f32, 1.0f32]
