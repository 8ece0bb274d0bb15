-- case: check
def main (x: i32) (x: i32) = x
-- ---
E0211 2:20 `x` is bound twice by these patterns
  2:11 first bound here
