-- The matrix is read, in the place of the row, after the row was computed.
-- ideal: Alloc 1 Copy 1
-- ==
-- input { [[3, 4], [0, 0]] [1, 2] } output { [[2i32, 3i32], [0i32, 0i32]] 4i32 }
-- structure funmem { Alloc 1 Copy 1 }

def main [n] [m] (out: *[n][m]i32) (xs: [m]i32): ([n][m]i32, i32) =
  let row = map (+ 1) xs
  let at = i64.i32 (i32.sum row) % m
  let old = out[0, at]
  let out[0] = row
  in (out, old)
