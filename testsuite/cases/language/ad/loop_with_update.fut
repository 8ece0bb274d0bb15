-- case: run ( [2.0f64, 3.0f64, 4.0f64] )
-- An array that a loop changes in place: 2, 2 * 3, 2 * 3 * 4.
def main [n] (xs: [n]f64) =
  vjp (\xs -> loop ys = copy xs for i < n - 1 do ys with [i + 1] = ys[i] * ys[i + 1]) xs (replicate n 1)
-- ---
[16.0f64, 10.0f64, 6.0f64]
