-- case: run ( 1f64 )
def main (x: f64) =
  let to_int y = i64.f64 (f64.round (y * 1e6))
  in (map to_int [f64.sin x, f64.cos x, f64.exp x, f64.log 2, f64.tan x, f64.gamma 4.5, f64.lgamma 10, f64.erf x, f64.erfc x])
-- ---
[841471i64, 540302i64, 2718282i64, 693147i64, 1557408i64, 11631728i64, 12801827i64, 842701i64, 157299i64]
