-- case: check
def main (x: f32) = f32.squrt x
-- ---
E0203 2:21 the module `f32` has no `squrt`
  did you mean `sqrt`?
