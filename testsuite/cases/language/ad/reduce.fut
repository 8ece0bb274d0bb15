-- case: run ( [2.0f64, 0.0f64, 3.0f64] )
-- Sums, products with a zero, and the first of equal extremes.
def main (xs: []f64) =
  ( vjp f64.sum xs 2
  , vjp f64.product xs 1
  , vjp f64.maximum (xs ++ xs) 1
  , vjp (reduce (\(a, b) (c, d) -> (a + c, f64.min b d)) (0, f64.inf)) (zip xs xs) (1, 1) |> unzip
  )
-- ---
[2.0f64, 2.0f64, 2.0f64]
[0.0f64, 6.0f64, 0.0f64]
[0.0f64, 0.0f64, 1.0f64, 0.0f64, 0.0f64, 0.0f64]
[1.0f64, 1.0f64, 1.0f64]
[0.0f64, 1.0f64, 0.0f64]
