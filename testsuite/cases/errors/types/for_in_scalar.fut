-- case: check
def main (n: i32) = loop s = 0 for x in n do s + x
-- ---
E0204 2:41 expected [_]_, found i32
  this is i32
  2:36 `for … in` goes through an array
