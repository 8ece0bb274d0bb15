-- case: check
def main (xs: []i32) = map f32.sqrt xs
-- ---
E0204 2:37 expected [_]f32, found [_]i32
  this is [_]i32
  2:24 expected [_]f32 as argument 2 of this
  f32 and i32 differ
