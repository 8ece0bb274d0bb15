-- case: run ( [[1.0f64, 2.0f64, 3.0f64], [4.0f64, 5.0f64, 6.0f64]] )
-- Views: the adjoint goes back the same way.
def main [n] [m] (xss: [n][m]f64) =
  ( vjp (\xss -> reverse (flatten (transpose xss))) xss (map f64.i64 (iota (m * n)))
  , vjp (\xss -> sized 3 (xss[1, ::2] ++ xss[0, 1:2])) xss [1, 2, 3]
  , vjp (map (rotate 1)) xss (map (map (* 10)) xss)
  )
-- ---
[[5.0f64, 3.0f64, 1.0f64], [4.0f64, 2.0f64, 0.0f64]]
[[0.0f64, 3.0f64, 0.0f64], [1.0f64, 0.0f64, 2.0f64]]
[[30.0f64, 10.0f64, 20.0f64], [60.0f64, 40.0f64, 50.0f64]]
