-- Three updates, each of the one before.
-- ideal: Alloc 0 Copy 0
-- ==
-- input { [[[0, 0, 0]], [[5, 5, 5]]] [1, 2, 3] } output { [[[2i32, 4i32, 6i32]], [[5i32, 5i32, 5i32]]] }
-- structure funmem { Alloc 0 Copy 0 }

def main [k] [n] [m] (out: *[k][n][m]i32) (xs: [m]i32): [k][n][m]i32 =
  let part = map (* 2) xs
  let row = replicate m 7
  let row[:] = part
  let block = replicate n (replicate m 1)
  let block[0] = row
  let out[0] = block
  in out
