-- A row goes to two places: it is computed in one and copied to the other.
-- ideal: Alloc 0 Copy 1
-- ==
-- input { [[0, 0], [0, 0]] [1, 2] } output { [[2i32, 3i32], [2i32, 3i32]] }
-- structure funmem { Alloc 0 Copy 1 }

def main [n] [m] (out: *[n][m]i32) (xs: [m]i32): [n][m]i32 =
  let row = map (+ 1) xs
  let out[0] = row
  let out[1] = row
  in out
