-- case: run main ( [4i64, 3i64, 2i64, 1i64, 0i64] [0i64, 2i64, 7i64, 1i64] )
-- Chains of different length; the third one begins outside, which a branch of its step finds.
entry main [n] [m] (next: [n]i64) (starts: [m]i64): [m]i64 =
  map (\start ->
    let (at, _) = loop (at, k) = (start, 0) while k < 3 do
      if at > 4 && k > 0 || at == 7 then (next[at], k + 1) else (at / 2, k + 1)
    in at) starts
-- ---
-- Index [7] out of bounds for array of shape [5] at search_that_fails_in_a_branch.fut:6:43 in main
