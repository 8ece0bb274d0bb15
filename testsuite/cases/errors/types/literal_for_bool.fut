-- case: check
def main (b: bool) = b && 1
-- ---
E0209 2:27 expected bool, found a number
  2:24 operands of `&&` are bools
