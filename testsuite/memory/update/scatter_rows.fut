-- Rows that each thread computes are scattered: they are computed where they go.
-- ideal: Alloc 0 Copy 0
-- ==
-- input { [[0, 0], [0, 0]] [1, 2] [1i64, 0i64] } output { [[2i32, 4i32], [1i32, 2i32]] }
-- structure funmem { Alloc 1 Copy 1 }

def main [n] [m] (out: *[n][m]i32) (xs: [m]i32) (at: [m]i64): [n][m]i32 =
  scatter out at (map (\x -> map (* x) xs) xs)
