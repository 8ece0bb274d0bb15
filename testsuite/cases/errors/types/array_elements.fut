-- case: check
def main (x: i32) = [x, 2f32]
-- ---
E0204 2:25 expected i32, found f32
  this is f32
  2:22 the first element has the type i32
