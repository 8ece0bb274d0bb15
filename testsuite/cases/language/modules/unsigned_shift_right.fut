-- case: run ( -16i8 )
def main (x: i8) = (x i8.>>> 2, u8.i8 x >> 4, (i32.>>>) (-1) 31)
-- ---
60i8
15u8
1i32
