-- case: run main ( [[1i32, 2i32], [3i32, 4i32], [5i32, 0i32], [7i32, 8i32]] 2i64 )
-- An operator that may stop the program says what it would say in the source.
entry main [n] (a: [n][2]i32) (k: i64) =
  let pick (x: [2]i32) (y: [2]i32) : [2]i32 = [x[0] + y[0], x[k] + y[1]]
  in reduce pick [0, 0] a
-- ---
-- Index [2] out of bounds for array of shape [2] at fails.fut:4:61 in main
