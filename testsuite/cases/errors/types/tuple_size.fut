-- case: check
def main (t: (i32, i32)) = let (a, b, c) = t in a
-- ---
E0204 2:32 expected (i32, i32), found (_, _, _)
  this is (_, _, _)
