-- Each iteration reduces and puts the result in a slot: no array but the result.
-- ideal: Alloc 1 Copy 0
-- ==
-- input { [[1, 2], [3, 4]] } output { [6i32, 14i32] }
-- structure funmem { Alloc 1 Copy 0 }

def main [n] [m] (xs: [n][m]i32): [n]i32 =
  loop out = replicate n 0 for i < n do out with [i] = i32.sum (map (* 2) xs[i])
