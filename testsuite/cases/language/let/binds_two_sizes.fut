-- case: run ( [[1i32, 2i32, 3i32], [4i32, 5i32, 6i32]] )
def main (xss: [][]i32) =
  let [n][m] (yss: [n][m]i32) = xss
  in (n * 10 + m, tabulate_2d m n (\i j -> yss[j, i]))
-- ---
23i64
[[1i32, 4i32], [2i32, 5i32], [3i32, 6i32]]
