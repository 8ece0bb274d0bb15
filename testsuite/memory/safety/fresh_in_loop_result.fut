-- What goes into the matrix came out of a loop that began with an argument.
-- ideal: Alloc 0 Copy 1
-- ==
-- input { [[0, 0], [0, 0]] [1, 2] } output { [[1i32, 2i32], [0i32, 0i32]] }
-- structure funmem { Alloc 0 Copy 1 }

def main [n] [m] (out: *[n][m]i32) (xs: *[m]i32): [n][m]i32 =
  let row = loop xs for i in 1..<m do xs with [i] = xs[i - 1] + 1
  let out[0] = row
  in out
