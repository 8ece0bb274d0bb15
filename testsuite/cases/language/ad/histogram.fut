-- case: run ( [0i64, 1i64, 1i64, 7i64] [2.0f64, 3.0f64, 5.0f64, 9.0f64] )
-- Histograms; an index outside has no effect and so no derivative.
def main [n] (is: [n]i64) (xs: [n]f64) =
  ( vjp (\(d, xs) -> reduce_by_index (copy d) (+) 0 is xs) ([1, 2], xs) [10, 100]
  , vjp (\(d, xs) -> reduce_by_index (copy d) (*) 1 is xs) ([1, 2], xs) [10, 100]
  , vjp (\(d, xs) -> reduce_by_index (copy d) f64.max 0 is xs) ([1, 2], xs) [10, 100]
  )
-- ---
[10.0f64, 100.0f64]
[10.0f64, 100.0f64, 100.0f64, 0.0f64]
[20.0f64, 1500.0f64]
[10.0f64, 1000.0f64, 600.0f64, 0.0f64]
[0.0f64, 0.0f64]
[10.0f64, 0.0f64, 100.0f64, 0.0f64]
