-- case: run main ( [5i32, 1i32, 4i32, 2i32, 8i32, 0i32] 2i64 )
-- Of the last two elements the others are outside.
entry main [n] (xs: [n]i32) (k: i64): [n]i32 = map (\i -> xs[i] - xs[i ^ k]) (iota n)
-- ---
-- Index [6] out of bounds for array of shape [6] at bits_flipped_outside.fut:3:67 in main
