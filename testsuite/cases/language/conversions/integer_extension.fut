-- case: run ( -1i8 255u8 )
-- The sign of the source decides how it is extended.
def main (x: i8) (y: u8) = (i32.i8 x, i64.i8 x, u32.i8 x, u64.i8 x, i32.u8 y, i64.u8 y, i8.u8 y)
-- ---
-1i32
-1i64
255u32
255u64
255i32
255i64
-1i8
