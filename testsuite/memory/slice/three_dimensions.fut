-- A plane of three dimensions, in the middle of them.
-- ideal: Alloc 0 Copy 0
-- ==
-- input { [[[1, 2], [3, 4]], [[5, 6], [7, 8]]] 1i64 } output { [[[1i32, 2i32], [6i32, 8i32]], [[5i32, 6i32], [14i32, 16i32]]] }
-- structure funmem { Alloc 0 Copy 0 }

def main [n] [m] [k] (xs: *[n][m][k]i32) (j: i64): [n][m][k]i32 =
  let plane = map (map (* 2)) xs[:, j]
  let xs[:, j] = plane
  in xs
