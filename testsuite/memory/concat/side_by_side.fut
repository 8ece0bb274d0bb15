-- Matrices next to each other: parts of each row.
-- ideal: Alloc 1 Copy 0
-- ==
-- input { [[1, 2], [3, 4]] } output { [[2i32, 3i32, 2i32, 4i32], [4i32, 5i32, 6i32, 8i32]] }
-- structure funmem { Alloc 1 Copy 0 }

def main [n] [m] (xs: [n][m]i32): [n][]i32 =
  transpose (transpose (map (map (+ 1)) xs) ++ transpose (map (map (* 2)) xs))
