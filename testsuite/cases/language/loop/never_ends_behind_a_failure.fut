-- case: run main ( [1i64, 2i64, 3i64, 0i64] [-1i64, 0i64, 1i64, 2i64] )
-- The loop of the last element never ends, but the first one stops the program.
entry main [n] (steps: [n]i64) (at: [n]i64): [n]i64 =
  map2 (\step i -> let sum = loop sum = 0 while sum < 10 do sum + step in at[i + sum - sum]) steps at
-- ---
-- Index [-1] out of bounds for array of shape [4] at never_ends_behind_a_failure.fut:4:75 in main
