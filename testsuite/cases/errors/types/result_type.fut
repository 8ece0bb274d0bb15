-- case: check
def main (x: i32) : f32 = x
-- ---
E0204 2:27 expected f32, found i32
  this is i32
  2:21 because the result has the type f32
