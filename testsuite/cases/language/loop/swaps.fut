-- case: run ( [3i32,-1i32,4i32,1i32,-5i32] [[2i8,1i8,0i8],[5i8,6i8,4i8]] )
-- Sorting by swaps of neighbours in a `while` loop, of an array and of rows.
def sort 't [n] (less: t -> t -> bool) (xs: *[n]t) : *[n]t =
  loop xs for i in 1..<n do
    let (xs, _) = loop (xs, j) = (xs, i) while j > 0 && less xs[j] xs[j - 1] do
      let (x, y) = (copy xs[j - 1], copy xs[j])
      let xs = xs with [j] = x
      in (xs with [j - 1] = y, j - 1)
    in xs
def main [n][k][m] (xs: [n]i32) (rows: [k][m]i8) = (sort (<) (copy xs), map (\row -> sort (<) (copy row)) rows)
-- ---
-- [-5i32, -1i32, 1i32, 3i32, 4i32]
-- [[0i8, 1i8, 2i8], [4i8, 5i8, 6i8]]
