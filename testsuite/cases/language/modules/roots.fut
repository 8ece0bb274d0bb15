-- case: run ( 16f64 )
def main (x: f64) = (f64.sqrt x, f64.cbrt 27, f64.hypot 3 4, f32.sqrt (-1), f16.sqrt 2)
-- ---
4.0f64
3.0f64
5.0f64
f32.nan
1.414f16
