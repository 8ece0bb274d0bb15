-- case: run ( 0f32 )
def main (x: f32) = (f32.sin x, f32.cos x, f32.tan x, f32.asin x, f32.acos 1, f32.atan x, f32.atan2 x 1, f32.sinh x, f32.cosh x, f32.tanh x)
-- ---
0.0f32
1.0f32
0.0f32
0.0f32
0.0f32
0.0f32
0.0f32
0.0f32
1.0f32
0.0f32
