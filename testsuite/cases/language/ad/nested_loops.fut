-- case: run ( [1.0f64, 2.0f64] )
-- The Hessian of a function with a loop, by reverse over reverse and by forward over reverse.
def f [n] (xs: [n]f64) = loop acc = 1 for x in xs do acc * x * x
def unit n i = map (\j -> f64.bool (i == j)) (iota n)
def main [n] (xs: [n]f64) =
  ( map (\i -> vjp (\xs -> vjp f xs 1) xs (unit n i)) (iota n)
  , map (\i -> jvp (\xs -> vjp f xs 1) xs (unit n i)) (iota n)
  )
-- ---
[[8.0f64, 8.0f64], [8.0f64, 2.0f64]]
[[8.0f64, 8.0f64], [8.0f64, 2.0f64]]
