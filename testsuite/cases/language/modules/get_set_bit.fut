-- case: run ( 5i32 )
def main (x: i32) = (i32.get_bit 0 x, i32.get_bit 1 x, i32.set_bit 1 x 1, i32.set_bit 0 x 0, u8.set_bit 7 0 1)
-- ---
1i32
0i32
7i32
4i32
128u8
