-- case: run ( true 2i32 )
def main (b: bool) (x: i32) = (i32.bool b, u8.bool (!b), f32.bool b, bool.i32 x, bool.i64 0, bool.f32 0.5)
-- ---
1i32
0u8
1.0f32
true
false
true
