-- case: run ( [0i64, 2i64, 2i64, 7i64] [2.0f64, 3.0f64, 5.0f64, 9.0f64] )
-- Scatter: the value that stays, and the destination where none was written.
def main [n] (is: [n]i64) (xs: [n]f64) = vjp (\(d, xs) -> scatter (copy d) is xs) ([1, 2, 4], xs) [10, 100, 1000]
-- ---
[0.0f64, 100.0f64, 0.0f64]
[10.0f64, 0.0f64, 1000.0f64, 0.0f64]
