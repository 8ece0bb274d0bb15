-- case: run ( 255u8 127i8 )
def main (x: u8) (y: i8) = (x << 4, y << 1, y << 7)
-- ---
240u8
-2i8
-128i8
