-- case: run ()
def main = (1i8, 2i16, 3i32, 4i64, 5u8, 6u16, 7u32, 8u64)
-- ---
1i8
2i16
3i32
4i64
5u8
6u16
7u32
8u64
