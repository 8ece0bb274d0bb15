-- case: run ( [2.0f64, 3.0f64, 5.0f64] )
-- Running sums and products: 2, 2 * 3, 2 * 3 * 5.
def main [n] (xs: [n]f64) = (vjp (scan (+) 0) xs (replicate n 1), vjp (scan (*) 1) xs (replicate n 1))
-- ---
[3.0f64, 2.0f64, 1.0f64]
[19.0f64, 12.0f64, 6.0f64]
