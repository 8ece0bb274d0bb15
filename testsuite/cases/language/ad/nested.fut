-- case: run ( 3.0f64 )
-- Second derivatives of x * x * x, in all four ways.
def f (x: f64) = x * x * x
def main (x: f64) =
  ( jvp (\x -> jvp f x 1) x 1
  , jvp (\x -> vjp f x 1) x 1
  , vjp (\x -> jvp f x 1) x 1
  , vjp (\x -> vjp f x 1) x 1
  )
-- ---
18.0f64
18.0f64
18.0f64
18.0f64
