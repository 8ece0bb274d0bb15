-- case: check
def main (x: int32) = x
-- ---
E0202 2:14 unknown type `int32`
  not defined here
