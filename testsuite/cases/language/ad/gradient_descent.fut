-- case: run ( [[1.0f64, 0.0f64], [0.0f64, 2.0f64]] [3.0f64, 8.0f64] )
-- A loop around a derivative of a matrix product: one step from zero lands on the solution of a diagonal system, scaled.
def matvec [n] [m] (a: [n][m]f64) (x: [m]f64) = map (\row -> f64.sum (map2 (*) row x)) a
def loss [n] [m] (a: [n][m]f64) (b: [n]f64) (x: [m]f64) = f64.sum (map2 (\p q -> (p - q) * (p - q)) (matvec a x) b)
def main [n] [m] (a: [n][m]f64) (b: [n]f64) =
  loop x = replicate m 0 for _i < 1 do map2 (\x d -> x - d / 2) x (vjp (loss a b) x 1)
-- ---
[3.0f64, 16.0f64]
