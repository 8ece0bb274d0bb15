-- case: run main ( 23i64 2i64 5i64 100i64 -3i64 -9223372036854775808i64 )
-- Cells by quotients of the number of a value, by divisors of either sign and larger than all numbers.
entry main (n: i64) (a: i64) (b: i64) (c: i64) (d: i64) (e: i64) =
  let sums m = reduce_by_index (replicate 3 0f32) (+) 0 (map (\i -> i64.abs (i // m) % 3) (iota n)) (map f32.i64 (iota n))
  in (sums a, sums b, sums c, sums d, sums e)
-- ---
-- [76.0f32, 92.0f32, 85.0f32]
-- [95.0f32, 98.0f32, 60.0f32]
-- [253.0f32, 0.0f32, 0.0f32]
-- [90.0f32, 94.0f32, 69.0f32]
-- [253.0f32, 0.0f32, 0.0f32]
