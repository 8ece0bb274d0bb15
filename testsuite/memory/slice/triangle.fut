-- A row up to the diagonal is computed from what is right of the diagonal in the rows above.
-- ideal: Alloc 0 Copy 0
-- ==
-- input { [[1, 2, 3], [4, 5, 6], [7, 8, 9]] } output { [[1i32, 2i32, 3i32], [2i32, 5i32, 6i32], [3i32, 6i32, 9i32]] }
-- structure funmem { Alloc 0 Copy 0 }

def main [n] (xs: *[n][n]i32): [n][n]i32 =
  loop xs for i < n do
    let part = map (\j -> xs[j, i]) (iota i)
    let xs[i, 0:i] = part :> [i - 0]i32
    in xs
