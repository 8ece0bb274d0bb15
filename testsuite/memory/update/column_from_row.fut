-- A column is added to a row. They meet in one element, which its own thread alone reads and writes.
-- ideal: Alloc 0 Copy 0
-- ==
-- input { [[1, 2], [3, 4]] } output { [[2i32, 2i32], [5i32, 4i32]] }
-- structure funmem { Alloc 0 Copy 0 }

def main [n] (xs: *[n][n]i32): [n][n]i32 =
  let new = map (\i -> xs[i, 0] + xs[0, i]) (iota n)
  let xs[:, 0] = new
  in xs
