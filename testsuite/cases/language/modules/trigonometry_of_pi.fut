-- case: run ( 0.5f64 )
-- Multiples of a half are exact.
def main (x: f64) = (f64.sinpi x, f64.cospi x, f64.tanpi 0, f64.asinpi 1, f64.acospi 1, f64.atanpi 0, f64.atan2pi 0 1, f32.sinpi 1.5)
-- ---
1.0f64
0.0f64
0.0f64
0.5f64
0.0f64
0.0f64
0.0f64
-1.0f32
