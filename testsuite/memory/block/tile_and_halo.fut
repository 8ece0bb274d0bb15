-- A tile is computed from itself and the cells around it, which other tiles write in turn: each from a copy.
-- ideal: /Alloc 1 Copy 1
-- ==
-- input { [[1, 2, 3], [4, 5, 6], [7, 8, 9]] } output { [[1i32, 2i32, 3i32], [4i32, 20i32, 6i32], [7i32, 8i32, 9i32]] }
-- structure funmem { /Alloc 1 Copy 1 }

def main [n] (a: *[n][n]i32): [n][n]i32 =
  loop a for i in 1..<n - 1 do
    let new = tabulate_2d 1 (n - 2) (\_ j -> a[i - 1, j + 1] + a[i + 1, j + 1] + a[i, j] + a[i, j + 2])
    let a[i:i + 1, 1:n - 1] = new :> [i + 1 - i][n - 1 - 1]i32
    in a
