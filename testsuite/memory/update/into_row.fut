-- A row that is computed from another array is computed in the matrix.
-- ideal: Alloc 0 Copy 0
-- ==
-- input { [[0, 0], [0, 0]] [1, 2] 1i64 } output { [[0i32, 0i32], [2i32, 3i32]] }
-- structure funmem { Alloc 0 Copy 0 }

def main [n] [m] (out: *[n][m]i32) (xs: [m]i32) (i: i64): [n][m]i32 =
  let row = map (+ 1) xs
  let out[i] = row
  in out
