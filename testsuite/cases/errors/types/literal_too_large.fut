-- case: check
def main (x: u8) = x + 300
-- ---
E0212 2:24 the number 300 doesn't fit the type u8
