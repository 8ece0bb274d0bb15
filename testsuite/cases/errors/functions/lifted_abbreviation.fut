-- case: check
type fn = i32 -> i32
def main (x: i32) = x
-- ---
E0215 2:11 the type `fn` contains a function
  declare it with `type^`
