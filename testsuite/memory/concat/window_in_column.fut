-- A window in a column of a matrix moves over itself with the stride of the column.
-- ideal: Alloc 0 Copy 1
-- ==
-- input { [[1, 2], [3, 4], [5, 6]] 2i64 } output { [[1i32, 6i32], [3i32, 0i32], [5i32, 1i32]] }
-- structure funmem { Alloc 0 Copy 1 }

def main [n] [m] (xs: *[n][m]i32) (k: i64): [n][m]i32 =
  let column = loop a = copy xs[:, m - 1] for i < k do (a[1:] ++ [i32.i64 i]) :> [n]i32
  in xs with [:, m - 1] = column
