-- case: check
def main [n] (xs: [n]i32) : [2][3]i32 = unflatten xs
-- ---
E0301 2:51 the sizes [2 * 3] and [n] differ
  2:11 the size n is a parameter
  if they are equal when the program runs, say so with `:>`
