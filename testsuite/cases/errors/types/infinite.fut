-- case: check
def main (x: i32) = (\f -> f f) x
-- ---
E0208 2:30 the type _ -> _ would contain itself
  2:28 argument 1 of this
E0204 2:33 expected _ -> _, found i32
  this is i32
  2:21 expected _ -> _ as argument 1 of this
