-- case: run ( 7i16 2.5f32 true )
def main (x: i16) (y: f32) (b: bool) = (i16.i16 x, f32.f32 y, bool.bool b)
-- ---
7i16
2.5f32
true
