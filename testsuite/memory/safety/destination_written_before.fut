-- The destination is written, where the row goes, after the row is computed, but might as well be before.
-- ==
-- input { [[0, 0], [0, 0]] [1, 2] 0i64 } output { [[2i32, 3i32], [5i32, 0i32]] }
-- input { [[0, 0], [0, 0]] [1, 2] 1i64 } output { [[2i32, 3i32], [5i32, 0i32]] }
-- structure funmem { Alloc 0 Copy 0 }

def main [n] [m] (out: *[n][m]i32) (xs: [m]i32) (i: i64): [n][m]i32 =
  let row = map (+ 1) xs
  let out[i, 0] = 50
  let more = i32.sum row
  let out[0] = row
  let out[1, 0] = more
  in out
