-- case: check
def main = 0x
-- ---
E0102 2:12 0x needs a hexadecimal digit after it
