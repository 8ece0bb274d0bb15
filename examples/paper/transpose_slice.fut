-- case: stages
-- Derived arrays (paper section 3): transposing and slicing cost nothing, the LMADs of the binders say how to index. Only the
-- kernel at the end touches memory.
entry main [n] [m] (a: [n][m]i64) (i: i64) (k: i64): []i64 =
  map (+ 1) (transpose a)[i, 0:k:2]
