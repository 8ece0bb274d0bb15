-- case: check
def main (n: i32) = loop x = 0i32 for i < n do true
-- ---
E0204 2:48 expected i32, found bool
  this is bool
  2:26 because the loop's parameter has the type i32
