-- case: check
def main (x: i32) (y: i64) = x + y
-- ---
E0204 2:34 expected i32, found i64
  this is i64
  2:32 expected i32 as argument 2 of this
