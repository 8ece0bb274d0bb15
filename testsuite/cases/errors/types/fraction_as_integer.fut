-- case: check
def main (x: i32) = x + 1.5
-- ---
E0209 2:25 expected i32, found a float
  2:23 expected i32 as argument 2 of this
