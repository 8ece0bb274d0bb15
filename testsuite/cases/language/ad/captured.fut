-- case: run ( 5.0f64 )
-- What a function captures counts as constant; derivatives inside of others count as functions of everything.
def main (x: f64) =
  let y = x * x
  in (jvp (\z -> z * y) x 1, jvp (\x -> jvp (\z -> z * x) 3 1) x 1)
-- ---
25.0f64
1.0f64
