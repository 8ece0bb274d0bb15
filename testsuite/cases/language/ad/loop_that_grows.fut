-- case: run ( [2.0f64, 3.0f64] )
-- An array whose size changes from iteration to iteration: no tape can hold it.
def f [n] (xs: [n]f64): f64 =
  let zs = loop ys = (xs :> []f64) for _i < 2 do ys ++ map (\y -> y * y) ys
  in f64.sum zs

def main [n] (xs: [n]f64) = (vjp f xs 1, map (\i -> jvp f xs (replicate n 0 with [i] = 1)) (iota n))
-- ---
[41.0f64, 121.0f64]
[41.0f64, 121.0f64]
