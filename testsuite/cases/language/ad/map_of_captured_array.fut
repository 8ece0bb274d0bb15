-- case: run ( [1.0f64, 2.0f64, 3.0f64] )
-- A map whose function reads an array at computed places.
def main [n] (xs: [n]f64) =
  vjp (\xs -> map (\i -> xs[i] * xs[(i + 1) %% n]) (iota n)) xs (replicate n 1)
-- ---
[5.0f64, 4.0f64, 3.0f64]
