-- case: run main ( [4i64, 7i64, 7i64, 7i64] [2i64, 2i64] 3i64 )
-- The loop of the second element never ends, but the third step of the first one reads outside.
entry main [n] [m] (xs: [n]i64) (b: [m]i64) (steps: i64): [n]i64 =
  map (\x -> loop sum = x for i < steps do
    let v = b[i]
    in loop u = sum + v while u != 0 do u - 2) xs
-- ---
-- Index [2] out of bounds for array of shape [2] at never_ends_in_front_of_the_next_step.fut:5:13 in main
