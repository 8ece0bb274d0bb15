-- A flat array becomes a row by another shape.
-- ideal: Alloc 0 Copy 0
-- ==
-- input { [[[0, 0], [0, 0]]] [1, 2, 3, 4] } output { [[[2i32, 3i32], [4i32, 5i32]]] }
-- structure funmem { Alloc 0 Copy 0 }

def main [k] [n] [m] (out: *[k][n][m]i32) (xs: [n * m]i32): [k][n][m]i32 =
  let flat = map (+ 1) xs
  let out[k - 1] = unflatten flat
  in out
