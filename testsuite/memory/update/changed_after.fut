-- The row in the matrix is changed, and the row itself read after that: it needs a place of its own.
-- ideal: Alloc 1 Copy 1
-- ==
-- input { [[0, 0], [0, 0]] [1, 2] } output { [[100i32, 3i32], [0i32, 0i32]] 3i32 }
-- structure funmem { Alloc 1 Copy 1 }

def main [n] [m] (out: *[n][m]i32) (xs: [m]i32): ([n][m]i32, i32) =
  let row = map (+ 1) xs
  let out[0] = row
  let out[0, 0] = 100
  let at = i64.i32 (i32.sum out[0]) % m
  in (out, row[at])
