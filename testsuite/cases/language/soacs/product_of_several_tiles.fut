-- case: run ( [[3, -1, 4, 1, -5], [9, 2, -6, 5, 3], [5, -8, 9, 7, 9], [-3, 2, 3, 8, 4], [6, 2, -6, 4, 3]] [[2, -7, 1, 8], [-2, 8, 1, -8], [2, 8, 4, 5], [9, -4, 5, 2], [3, 5, -3, 6]] )
-- A product whose sums have more elements than two tiles, and fewer than three; and the same of doubles.
def times [n][m][p] 't (dot: [m]t -> [m]t -> t) (a: [n][m]t) (b: [m][p]t) : [n][p]t =
  map (\row -> map (\column -> dot row column) (transpose b)) a
def main [n][m][p] (a: [n][m]i32) (b: [m][p]i32) : ([n][p]i32, [n][p]f64) =
  (times (\row column -> reduce (+) 0 (map2 (*) row column)) a b,
   times (\row column -> reduce (+) 0 (map2 (*) row column)) (map (map f64.i32) a) (map (map f64.i32) b))
-- ---
[[10i32, -26i32, 38i32, 24i32], [56i32, -100i32, 3i32, 54i32], [134i32, -10i32, 41i32, 217i32], [80i32, 49i32, 39i32, 15i32], [41i32, -75i32, -5i32, 28i32]]
[[10.0f64, -26.0f64, 38.0f64, 24.0f64], [56.0f64, -100.0f64, 3.0f64, 54.0f64], [134.0f64, -10.0f64, 41.0f64, 217.0f64], [80.0f64, 49.0f64, 39.0f64, 15.0f64], [41.0f64, -75.0f64, -5.0f64, 28.0f64]]
