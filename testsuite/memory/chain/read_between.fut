-- The outermost array is read after the row was computed and before it is put there, where it was: the row needs a place of its
-- own, and a copy.
-- ideal: Alloc 1 Copy 1
-- ==
-- input { [[1, 2], [3, 4]] [10, 20] } output { [[11i32, 21i32], [3i32, 4i32]] 41i32 }
-- structure funmem { Alloc 1 Copy 1 }

def main [n] [m] (out: *[n][m]i32) (xs: [m]i32): ([n][m]i32, i32) =
  let row = map (+ 1) xs
  let old = i32.sum out[0]
  let more = map (+ old) row
  let last = i32.sum out[0] + i32.sum more
  let out[0] = row
  in (out, last)
