-- case: run ( 3e38f32 1e-45f32 )
def main (big: f32) (small: f32) = (big * 10, -big * 10, small / 2, big + big - big)
-- ---
f32.inf
-f32.inf
0.0f32
f32.inf
