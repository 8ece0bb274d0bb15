-- case: run ( 16u8 0i16 1u64 )
def main (x: u8) (y: i16) (z: u64) = (u8.popc x, u8.clz x, u8.ctz x, i16.clz y, i16.ctz y, u64.clz z, i8.popc (-1))
-- ---
1i32
3i32
4i32
16i32
16i32
63i32
8i32
