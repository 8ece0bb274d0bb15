-- case: run main ( 5i64 [4i64, 1i64, 4i64, 4i64, 7i64, 1i64, 0i64, 4i64] [1f32, 3f32, 5f32, 2f32, 9f32, 3f32, -1f32, 5f32] )
-- The greatest value of each cell, where it is first and how many there were: cells without values keep what they have.
entry main [n] (k: i64) (is: [n]i64) (vs: [n]f32) =
  unzip3 (reduce_by_index (replicate k (0f32, -1i64, 0i32))
    (\(a, i, m) (b, j, n) -> if a > b || (a == b && i < j) then (a, i, m + n) else (b, j, m + n))
    (-f32.inf, i64.highest, 0) is (zip3 vs (iota n) (replicate n 1)))
-- ---
-- [0.0f32, 3.0f32, 0.0f32, 0.0f32, 5.0f32]
-- [-1i64, 1i64, -1i64, -1i64, 2i64]
-- [1i32, 2i32, 0i32, 0i32, 4i32]
