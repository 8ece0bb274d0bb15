-- The destination is written, where the row goes, after the row is computed and with what is in it.
-- ideal: Alloc 1 Copy 1
-- ==
-- input { [[0, 0], [0, 0]] [1, 2] 0i64 } output { [[2i32, 3i32], [5i32, 0i32]] }
-- input { [[0, 0], [0, 0]] [1, 2] 1i64 } output { [[2i32, 3i32], [5i32, 0i32]] }
-- structure funmem { Alloc 1 Copy 1 }

def main [n] [m] (out: *[n][m]i32) (xs: [m]i32) (i: i64): [n][m]i32 =
  let row = map (+ 1) xs
  let more = i32.sum row
  let out[i, 0] = more * 10
  let out[0] = row
  let out[1, 0] = more
  in out
