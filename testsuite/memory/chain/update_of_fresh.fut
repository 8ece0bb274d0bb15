-- A fresh array is updated with a fresh row and is then the result.
-- ==
-- input { [1, 2, 3] } output { [[2i32, 3i32, 2i32], [0i32, 0i32, 4i32], [0i32, 0i32, 6i32]] }
-- structure funmem { Alloc 1 Copy 0 }

def main [n] (xs: [n]i32): [n][n]i32 =
  let out = replicate n (replicate n 0)
  let out[0] = map (+ 1) xs
  let out[:, n - 1] = map (* 2) xs
  in out
