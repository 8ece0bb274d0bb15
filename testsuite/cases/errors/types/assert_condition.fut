-- case: check
def main (x: i32) = assert x x
-- ---
E0204 2:28 expected bool, found i32
  this is i32
  2:21 the condition of `assert` is a bool
