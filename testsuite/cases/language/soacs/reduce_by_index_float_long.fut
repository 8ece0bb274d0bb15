-- case: run main ( 8i64 [0i64, 5, 0, 7, 5, 1, -3] [1f32, 2, 3, 4, 5, 6, 7] )
-- Values that take loops are computed once, and those of arrays of their own as well.
entry main [n] (k: i64) (is: [n]i64) (xs: [n]f32) =
  let powers x = loop (s, p) = (0f32, 1f32) for _i < 3i64 do (s + p, p * x)
  let spread x = let ys = loop ys = replicate 4 0f32 for i < 4i64 do ys with [i] = x + f32.i64 i in ys[3] - ys[0]
  in (reduce_by_index (replicate k 0f32) (+) 0 is (map (\x -> (powers x).0) xs),
      reduce_by_index (replicate k 0f32) (+) 0 is (map spread xs))
-- ---
-- [16.0f32, 43.0f32, 0.0f32, 0.0f32, 0.0f32, 38.0f32, 0.0f32, 21.0f32]
-- [6.0f32, 3.0f32, 0.0f32, 0.0f32, 0.0f32, 6.0f32, 0.0f32, 3.0f32]
