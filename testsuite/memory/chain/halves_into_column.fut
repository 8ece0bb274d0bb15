-- Two halves of an array that becomes a column of a matrix: they are computed with the stride of its rows.
-- ideal: Alloc 0 Copy 0
-- ==
-- input { [[0, 9], [0, 9], [0, 9], [0, 9]] [1, 2] } output { [[2i32, 9i32], [3i32, 9i32], [2i32, 9i32], [4i32, 9i32]] }
-- structure funmem { Alloc 0 Copy 0 }

def main [n] [m] (out: *[n + n][m]i32) (xs: [n]i32): [n + n][m]i32 =
  let column = map (+ 1) xs ++ map (* 2) xs
  let out[:, 0] = column
  in out
