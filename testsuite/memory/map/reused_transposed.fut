-- A transposed matrix is read in another order than it was written; the result takes a block of its own.
-- ideal: Alloc 2 Copy 0
-- ==
-- input { [[1, 2], [3, 4]] } output { [[1i32, 4i32], [3i32, 10i32]] }
-- structure funmem { Alloc 2 Copy 0 }

def main [n] (xs: [n][n]i32): [n][n]i32 =
  let a = map (scan (+) 0) xs
  in map (scan (+) 0) (transpose a)
