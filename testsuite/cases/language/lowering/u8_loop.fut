-- case: run ( 4u8 )
-- u8 loop
def main (n: u8) = loop s = 0u8 for i < n do s * 3 + i
-- ---
18u8
