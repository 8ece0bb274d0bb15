-- Each row is computed from the two above it.
-- ideal: Alloc 0 Copy 0
-- ==
-- input { [[1, 2], [3, 5], [0, 0], [0, 0]] } output { [[1i32, 2i32], [3i32, 5i32], [5i32, 8i32], [7i32, 11i32]] }
-- structure funmem { Alloc 0 Copy 0 }

def main [n] [m] (xs: *[n][m]i32): [n][m]i32 =
  loop xs for i in 2..<n do
    let row = map2 (\a b -> a * 2 - b) xs[i - 1] xs[i - 2]
    let xs[i] = row
    in xs
