-- A part of a transposed part of a fresh array is only read.
-- ideal: Alloc 0 Copy 0
-- ==
-- input { [[1, 2], [3, 4]] } output { 7i32 }
-- structure funmem { Alloc 0 Copy 0 }

def main [n] [m] (xs: [n][m]i32): i32 =
  let t = transpose xs[1:, :]
  in i32.sum (map (\i -> t[i, 0]) (iota m))
