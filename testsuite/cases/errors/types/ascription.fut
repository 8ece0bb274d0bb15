-- case: check
def main (x: i32) = (x : f32) + 1
-- ---
E0204 2:22 expected f32, found i32
  this is i32
  2:26 because of this type
