-- case: check
def f (x: i32) = x + 1
def main (b: bool) = f b
-- ---
E0204 3:24 expected i32, found bool
  this is bool
  3:22 expected i32 as argument 1 of this
