-- A row goes into a matrix that goes into an array of matrices: both are built at their final place.
-- ideal: Alloc 0 Copy 0
-- ==
-- input { [[[0, 0], [0, 0]], [[5, 5], [5, 5]]] [1, 2] } output { [[[0i32, 0i32], [0i32, 0i32]], [[2i32, 3i32], [2i32, 4i32]]] }
-- structure funmem { Alloc 0 Copy 0 }

def main [n] [m] (out: *[n][m][m]i32) (xs: [m]i32): [n][m][m]i32 =
  let block = map (\x -> map (\y -> x * y) xs) xs
  let row = map (+ 1) xs
  let block[0] = row
  let out[n - 1] = block
  in out
