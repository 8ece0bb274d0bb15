-- A transposed concatenation becomes part of a matrix: the parts are computed in columns.
-- ideal: Alloc 0 Copy 0
-- ==
-- input { [[0, 0, 0, 0], [0, 0, 0, 0]] [[1, 2], [3, 4]] } output { [[2i32, 4i32, 2i32, 6i32], [3i32, 5i32, 4i32, 8i32]] }
-- structure funmem { Alloc 0 Copy 0 }

def main [n] [m] (out: *[m][n + n]i32) (xs: [n][m]i32): [m][n + n]i32 =
  let rows = map (map (+ 1)) xs ++ map (map (* 2)) xs
  let out[:, :] = transpose rows
  in out
