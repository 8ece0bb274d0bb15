-- case: check
def main (x: i32) = ({a = x} with a = true).a
-- ---
E0204 2:39 expected i32, found bool
  this is bool
  2:22 the field has the type i32
