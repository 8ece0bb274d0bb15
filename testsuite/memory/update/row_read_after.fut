-- The row is read again after the update: where it is.
-- ideal: Alloc 0 Copy 0
-- ==
-- input { [[0, 0], [0, 0]] [1, 2] } output { [[2i32, 3i32], [0i32, 0i32]] 5i32 }
-- structure funmem { Alloc 0 Copy 0 }

def main [n] [m] (out: *[n][m]i32) (xs: [m]i32): ([n][m]i32, i32) =
  let row = map (+ 1) xs
  let out[0] = row
  in (out, i32.sum row)
