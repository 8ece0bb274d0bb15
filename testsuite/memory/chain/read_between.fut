-- After the row was computed and before it is put there, an element that the row tells is read of what was there: the row needs a
-- place of its own, and a copy.
-- ideal: Alloc 1 Copy 1
-- ==
-- input { [[1, 2], [3, 4]] [10, 20] } output { [[11i32, 21i32], [3i32, 4i32]] 1i32 }
-- structure funmem { Alloc 1 Copy 1 }

def main [n] [m] (out: *[n][m]i32) (xs: [m]i32): ([n][m]i32, i32) =
  let row = map (+ 1) xs
  let at = i64.i32 (i32.sum row) % m
  let last = out[0, at]
  let out[0] = row
  in (out, last)
