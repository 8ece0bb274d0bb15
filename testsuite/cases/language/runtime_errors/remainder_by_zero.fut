-- case: run ( 1u8 0u8 )
def main (x: u8) (y: u8) = x + x % y
-- ---
division by zero at remainder_by_zero.fut:2:32 in main
