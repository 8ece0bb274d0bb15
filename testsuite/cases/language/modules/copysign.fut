-- case: run ( 3f64 )
def main (x: f64) = (f64.copysign x (-0.0), f64.copysign (-x) 1, f32.nextafter 1 2, f64.ldexp 3 4, f64.ldexp x (-1))
-- ---
-3.0f64
3.0f64
1.0000001f32
48.0f64
1.5f64
