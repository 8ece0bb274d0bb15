-- case: run main ( [0i64, 1i64, 2i64, 5i64, 1i64, 0i64] [1f16, 2f16, 3f16, 4f16] )
-- A value that can't be read stops the program, whatever order values come in.
entry main [n][m] (is: [n]i64) (vs: [m]f16) =
  reduce_by_index (replicate 2 0f16) (+) 0 (map (% 2) is) (map (\i -> vs[i]) is)
-- ---
-- Index [5] out of bounds for array of shape [4] at fails.fut:4:71 in main
