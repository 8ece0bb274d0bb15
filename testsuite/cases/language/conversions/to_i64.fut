-- case: run ( 7i32 2.5f32 200u8 )
def main (x: i32) (y: f32) (z: u8) = (i32.to_i64 x, u8.to_i64 z, i64.f32 y, f32.to_i64 y)
-- ---
7i64
200i64
2i64
2i64
