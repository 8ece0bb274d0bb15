-- case: run ( [[1.0f64, 2.0f64], [3.0f64, 4.0f64], [5.0f64, 6.0f64]] )
-- Reductions of rows.
def main [n] [m] (xss: [n][m]f64) =
  ( vjp (reduce (map2 (+)) (replicate m 0)) xss (map f64.i64 (iota m))
  , vjp (reduce (map2 (*)) (replicate m 1)) xss (replicate m 1)
  )
-- ---
[[0.0f64, 1.0f64], [0.0f64, 1.0f64], [0.0f64, 1.0f64]]
[[15.0f64, 24.0f64], [5.0f64, 12.0f64], [3.0f64, 8.0f64]]
