-- case: check
def main (x: i32) = if x then 1 else 2
-- ---
E0204 2:24 expected bool, found i32
  this is i32
  2:21 the condition of `if` is a bool
