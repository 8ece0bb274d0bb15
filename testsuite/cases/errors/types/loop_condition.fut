-- case: check
def main (n: i32) = loop n while n do n - 1
-- ---
E0204 2:34 expected bool, found i32
  this is i32
