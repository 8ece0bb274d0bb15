-- A row of an argument is copied, then changed.
-- ideal: Alloc 1 Copy 1
-- ==
-- input { [[1, 2, 3], [4, 5, 6]] 1i64 } output { [4i32, 9i32, 15i32] }
-- structure funmem { Alloc 1 Copy 1 }

def main [n] [m] (xs: [n][m]i32) (i: i64): [m]i32 =
  let row = copy xs[i]
  in loop row for j in 1..<m do row with [j] = row[j] + row[j - 1]
