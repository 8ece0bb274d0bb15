-- case: run main ( [0.5f16, 0f16, 1f16, 2f16] [0i32, 3i32, -1i32, 1i32, 3i32, 4i32, 0i32, 3i32, 1i32, 2i32, 0i32, 2000000000i32] [1f16, 2f16, 3f16, 4f16, 5f16, 6f16, 7f16, 8f16, 9f16, 10f16, 0.25f16, 11f16] 2i32 )
-- Twelve values, of which three belong to no cell, and a loop in front of which they are sorted once.
entry main [n][k] (sums: [k]f16) (is: [n]i32) (vs: [n]f16) (times: i32) =
  loop sums = copy sums for t < times do
    reduce_by_index sums (+) 0 (map i64.i32 is) (map (* f16.i32 (t + 1)) vs)
-- ---
-- [25.25f16, 39.0f16, 31.0f16, 47.0f16]
