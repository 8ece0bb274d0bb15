-- case: run ( 3f32 )
def main (x: f32) = (f32.fma x 2 1, f64.mad 2 3 4, f32.lerp 10 20 0.5, f64.fma 0.5 4 (-2))
-- ---
7.0f32
10.0f64
15.0f32
0.0f64
