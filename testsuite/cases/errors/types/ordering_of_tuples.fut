-- case: check
def main (x: i32) = (x, x) < (x, x)
-- ---
E0209 2:21 expected a number or bool, found (i32, i32)
  2:28 argument 1 of this
