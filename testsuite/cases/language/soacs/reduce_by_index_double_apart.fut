-- case: run main ( 8i64 [0i64, 0, 0, 0, 1, 1, 1, 3, 3, 3, 7, 7] [1e15f64, -0.25, -1e15, 0.5, 4503599627370497.0, 0.25, -4503599627370496.0, -1e300, 1.0, 1e300, 0.1, 0.2] )
-- Values of which some differ by as many digits as a float has, or more, so that little is left: how much depends on the order by what one of them loses beside another.
entry main [n] (k: i64) (is: [n]i64) (xs: [n]f64) =
  let sums = reduce_by_index (replicate k 0f64) (+) 0 is xs
  in (sums[0] > 0 && sums[0] < 0.6, sums[1] >= 1 && sums[1] < 1.5, f64.abs sums[3] < 2, f64.abs (sums[7] - 0.3) < 1e-15)
-- ---
-- true
-- true
-- true
-- true
