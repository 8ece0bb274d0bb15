-- case: check
def main (xs: *[]i32) = xs with [0] = true
-- ---
E0204 2:39 expected i32, found bool
  this is bool
  2:25 what is replaced has the type i32
