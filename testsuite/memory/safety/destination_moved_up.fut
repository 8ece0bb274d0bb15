-- The destination is made after the row, but could be made before it.
-- ideal: Alloc 1 Copy 0
-- ==
-- input { [1, 2] 2i64 } output { [[2i32, 3i32], [0i32, 0i32]] }
-- structure funmem { Alloc 1 Copy 0 }

def main [m] (xs: [m]i32) (n: i64): [][m]i32 =
  let row = map (+ 1) xs
  let out = replicate n (replicate m 0)
  let out[0] = row
  in out
