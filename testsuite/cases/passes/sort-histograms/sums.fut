-- case: run main ( [0.5f64, 0f64, 1f64, 2f64] [0i32, 3i32, -1i32, 1i32, 3i32, 4i32, 0i32, 3i32, 1i32, 2i32, 0i32, 2000000000i32] [1f64, 2f64, 3f64, 4f64, 5f64, 6f64, 7f64, 8f64, 9f64, 10f64, 0.25f64, 11f64] 2i32 )
-- Twelve values, of which three belong to no cell, and a loop in front of which they are sorted once.
entry main [n][k] (sums: [k]f64) (is: [n]i32) (vs: [n]f64) (times: i32) =
  loop sums = copy sums for t < times do
    reduce_by_index sums (+) 0 (map i64.i32 is) (map (* f64.i32 (t + 1)) vs)
-- ---
-- [25.25f64, 39.0f64, 31.0f64, 47.0f64]
