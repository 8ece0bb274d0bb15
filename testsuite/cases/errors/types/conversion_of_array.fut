-- case: check
def main (xs: []i32) = f32.i32 xs
-- ---
E0204 2:32 expected i32, found [_]i32
  this is [_]i32
  2:24 expected i32 as argument 1 of this
