-- What goes into the matrix is an argument.
-- ideal: Alloc 0 Copy 1
-- ==
-- input { [[0, 0], [0, 0]] [1, 2] } output { [[7i32, 2i32], [0i32, 0i32]] }
-- structure funmem { Alloc 0 Copy 1 }

def main [n] [m] (out: *[n][m]i32) (xs: *[m]i32): [n][m]i32 =
  let xs[0] = 7
  let out[0] = xs
  in out
