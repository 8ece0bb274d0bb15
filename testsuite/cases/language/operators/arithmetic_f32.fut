-- case: run ( 7.5f32 2f32 )
def main (x: f32) (y: f32) = (x + y, x - y, x * y, x / y, -x)
-- ---
9.5f32
5.5f32
15.0f32
3.75f32
-7.5f32
