-- case: check
def main (x: f32) = !x
-- ---
E0209 2:22 expected an integer or bool, found f32
  2:21 argument 1 of this
