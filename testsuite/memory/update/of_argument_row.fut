-- A row of an argument goes into the matrix: it was there before, so it is copied.
-- ideal: Alloc 0 Copy 1
-- ==
-- input { [[0, 0], [0, 0]] [[1, 2], [3, 4]] } output { [[3i32, 4i32], [0i32, 0i32]] }
-- structure funmem { Alloc 0 Copy 1 }

def main [n] [m] (out: *[n][m]i32) (xs: [n][m]i32): [n][m]i32 =
  let out[0] = xs[n - 1]
  in out
