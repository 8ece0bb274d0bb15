-- case: check
def main (p: (i32, i32)) = let (a, a) = p in a
-- ---
E0211 2:36 `a` is bound twice by these patterns
  2:33 first bound here
