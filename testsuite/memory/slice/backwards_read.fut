-- An array is read from its end and written from its start, in another half.
-- ideal: Alloc 0 Copy 0
-- ==
-- input { [1, 2, 3, 4] } output { [8i32, 6i32, 3i32, 4i32] }
-- structure funmem { Alloc 0 Copy 0 }

def main [m] (xs: *[m]i32): [m]i32 =
  let n = m / 2
  let new = map (* 2) (reverse xs[m - n:])
  let xs[0:n] = new
  in xs
