-- Each thread changes a copy of its row; the matrix is consumed, so the row may be changed itself.
-- ideal: Alloc 0 Copy 0
-- ==
-- input { [[1, 2, 3], [4, 5, 6]] } output { [[1i32, 3i32, 6i32], [4i32, 9i32, 15i32]] }
-- structure funmem { Alloc 0 Copy 0 }

def main [n] [m] (xs: *[n][m]i32): [n][m]i32 =
  map (\row -> loop row = copy row for j in 1..<m do row with [j] = row[j] + row[j - 1]) xs
