-- case: check
def main (xs: []i32) = xs :> [2][3]i32
-- ---
E0204 2:24 expected [_][_]i32, found [_]i32
  this is [_]i32
  2:30 because of this type
  [_]i32 and i32 differ
