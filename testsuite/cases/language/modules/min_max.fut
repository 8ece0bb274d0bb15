-- case: run ( -3i32 2i32 200u8 100u8 )
def main (x: i32) (y: i32) (a: u8) (b: u8) = (i32.min x y, i32.max x y, u8.min a b, u8.max a b)
-- ---
-3i32
2i32
100u8
200u8
