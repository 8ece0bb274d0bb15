-- The row is used after it is put in the matrix and that is changed there: it keeps its place.
-- ideal: Alloc 1 Copy 1
-- ==
-- input { [[0, 0], [0, 0]] [1, 2] } output { [[7i32, 3i32], [0i32, 0i32]] [4i32, 6i32] }
-- structure funmem { Alloc 1 Copy 1 }

def main [n] [m] (out: *[n][m]i32) (xs: [m]i32): ([n][m]i32, [m]i32) =
  let row = map (+ 1) xs
  let out[0] = row
  let out[0, 0] = 7
  in (out, map (* 2) row)
