-- case: run ( 0f64 )
def main (x: f64) = (f64.exp x, f64.log (f64.exp x), f64.log2 8, f64.log10 1000, f64.log1p x, f64.log x, f32.log (-1))
-- ---
1.0f64
0.0f64
3.0f64
3.0f64
0.0f64
-f64.inf
f32.nan
