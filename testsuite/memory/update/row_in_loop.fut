-- Each iteration computes a row from the row above it and puts it in the matrix.
-- ideal: Alloc 0 Copy 0
-- ==
-- input { [[1, 2], [0, 0], [0, 0]] } output { [[1, 2], [2, 3], [3, 4]] }
-- structure funmem { /Alloc 0 /Loop/Alloc 0 Copy 0 }

def main [n] [m] (xs: *[n][m]i32): [n][m]i32 =
  loop xs for i < n - 1 do
    let row = map (+ 1) xs[i]
    let xs[i + 1] = row
    in xs
