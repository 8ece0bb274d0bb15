-- case: check
def main (b: bool) = -b
-- ---
E0209 2:23 expected a number, found bool
  2:22 argument 1 of this
