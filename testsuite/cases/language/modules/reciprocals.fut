-- case: run ( 4f64 )
def main (x: f64) = (f64.recip x, f64.rsqrt x, f32.recip 0, f32.rsqrt 0.25)
-- ---
0.25f64
0.5f64
f32.inf
2.0f32
