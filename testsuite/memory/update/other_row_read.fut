-- The matrix is read between, but in another row.
-- ideal: Alloc 0 Copy 0
-- ==
-- input { [[3, 4], [5, 6]] [1, 2] } output { [[2i32, 3i32], [5i32, 6i32]] 6i32 }
-- structure funmem { Alloc 1 Copy 1 }

def main [n] [m] (out: *[n][m]i32) (xs: [m]i32): ([n][m]i32, i32) =
  let row = map (+ 1) xs
  let at = i64.i32 (i32.sum row) % m
  let old = out[1, at]
  let out[0] = row
  in (out, old)
