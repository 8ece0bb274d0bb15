-- case: check
def main (b: bool) = b + true
-- ---
E0209 2:22 expected a number, found bool
  2:24 argument 1 of this
