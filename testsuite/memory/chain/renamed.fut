-- Other names for the array on its way change nothing.
-- ideal: Alloc 0 Copy 0
-- ==
-- input { [[0, 0], [0, 0]] [1, 2] } output { [[2i32, 3i32], [0i32, 0i32]] }
-- structure funmem { Alloc 0 Copy 0 }

def main [n] [m] (out: *[n][m]i32) (xs: [m]i32): [n][m]i32 =
  let a = map (+ 1) xs
  let b = a
  let c = id b
  let out[0] = c
  in out
