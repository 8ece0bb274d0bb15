-- case: run main ( 7i64 [0i64, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 9, -1, 6] [1.5f64, 1.0, f64.inf, 1.0, 4.9e-324, 1.7e308, 2.25, f64.inf, -f64.inf, -f64.inf, 4.9e-324, 1.0, 1.0, -1e-300] )
-- More cells than blocks have tables for, with infinities, one of them against the other, and the least numbers that there are.
entry main [n] (k: i64) (is: [n]i64) (xs: [n]f64) = reduce_by_index (replicate k 0f64) (+) 0 is xs
-- ---
-- [3.75f64, f64.inf, f64.nan, -f64.inf, 1e-323f64, 1.7e308f64, -1e-300f64]
