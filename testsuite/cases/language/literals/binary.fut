-- case: run ()
def main = (0b1011, 0B1111_0000u8, 0b0i64)
-- ---
11i32
240u8
0i64
