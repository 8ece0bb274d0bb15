-- One branch reads the row of the matrix, as it was, to compute another order of it: that row is computed elsewhere and copied.
-- ideal: Alloc 1 Copy 1
-- ==
-- input { [[3, 4], [5, 5]] true [1, 2] } output { [[5i32, 5i32], [5i32, 5i32]] }
-- input { [[3, 4], [5, 5]] false [1, 2] } output { [[2i32, 4i32], [5i32, 5i32]] }
-- structure funmem { Alloc 1 Copy 1 }

def main [n] [m] (out: *[n][m]i32) (c: bool) (xs: [m]i32): [n][m]i32 =
  let row = if c then map (\i -> out[0, m - 1 - i] + xs[i]) (iota m) else map (* 2) xs
  let out[0] = row
  in out
