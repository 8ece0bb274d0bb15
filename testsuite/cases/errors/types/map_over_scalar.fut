-- case: check
def main (x: i32) = map (+ 1) x
-- ---
E0204 2:31 expected [_]_, found i32
  this is i32
  2:21 expected [_]_ as argument 2 of this
