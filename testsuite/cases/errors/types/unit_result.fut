-- case: check
def main (x: i32) : () = x
-- ---
E0204 2:26 expected (), found i32
  this is i32
  2:21 because the result has the type ()
