-- case: check
def f (xss: [][]i32) = xss[0, 0]
def main (xs: []i32) = f xs
-- ---
E0204 3:26 expected [_][_]i32, found [_]i32
  this is [_]i32
  3:24 expected [_][_]i32 as argument 1 of this
  [_]i32 and i32 differ
