-- case: run main ( 4i64 [0i64, 0, 0, 0, 1, 1, 1, 3, 3, 3] [1e15f64, -0.3, -1e15, 0.3, 4503599627370497.0, 0.25, -4503599627370496.0, -1e300, 1e-300, 1e300] )
-- Values of which some differ by more than the digits of one of them, and that leave little or nothing.
entry main [n] (k: i64) (is: [n]i64) (xs: [n]f64) =
  map (\x -> f64.abs x < 2) (reduce_by_index (replicate k 0f64) (+) 0 is xs)
-- ---
-- [true, true, true, true]
