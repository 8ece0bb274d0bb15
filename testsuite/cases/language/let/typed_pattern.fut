-- case: run ( 3i32 )
def main (x: i32) = let (y: i64, z): (i64, u8) = (5, 6) let w: f32 = 1 in (y, z, w, x)
-- ---
5i64
6u8
1.0f32
3i32
