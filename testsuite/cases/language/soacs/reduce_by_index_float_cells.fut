-- case: run main ( 7i64 [0i64, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 9, -1, 6] [1.5f32, 1.0, f32.inf, 1.0, 1e-45, 3e38, 2.25, f32.inf, -f32.inf, -f32.inf, 1e-45, 1.0, 1.0, -1e-30] )
-- More cells than blocks have tables for, with infinities, one of them against the other, and the least numbers that there are.
entry main [n] (k: i64) (is: [n]i64) (xs: [n]f32) = reduce_by_index (replicate k 0f32) (+) 0 is xs
-- ---
-- [3.75f32, f32.inf, f32.nan, -f32.inf, 3e-45f32, 3e38f32, -1e-30f32]
