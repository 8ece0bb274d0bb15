-- case: check
def main (x: i8) = [x, 128, -129]
-- ---
E0212 2:24 the number 128 doesn't fit the type i8
E0212 2:29 the number -129 doesn't fit the type i8
