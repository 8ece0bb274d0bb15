-- The cells at the edges of a matrix and those inside are computed on their own and put together.
-- ideal: Alloc 1 Copy 0
-- ==
-- input { [[1, 2, 3], [4, 5, 6], [7, 8, 9]] } output { [[2i32, 4i32, 6i32], [4i32, 6i32, 6i32], [21i32, 24i32, 27i32]] }
-- structure funmem { Alloc 1 Copy 0 }

def main [n] (a: [n][n]i32): [n][n]i32 =
  let first = map (* 2) a[0]
  let last = map (* 3) a[n - 1]
  let inside = map (\row -> [row[0]] ++ map (+ 1) row[1:n - 1] ++ [row[n - 1]] :> [n]i32) a[1:n - 1]
  in ([first] ++ inside ++ [last]) :> [n][n]i32
