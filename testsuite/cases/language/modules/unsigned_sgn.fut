-- case: run ( 200u8 0u8 )
def main (x: u8) (y: u8) = (u8.abs x, u8.sgn x, u8.sgn y, u8.neg x)
-- ---
200u8
1u8
0u8
56u8
