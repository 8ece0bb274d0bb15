-- case: check
def main (x: f32) = x & 1
-- ---
E0209 2:21 expected an integer, found f32
  2:23 argument 1 of this
