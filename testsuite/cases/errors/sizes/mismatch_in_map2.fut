-- case: check
def main [n][m] (xs: [n]i32) (ys: [m]i32) = map2 (+) xs ys
-- ---
E0301 2:57 the sizes [n] and [m] differ
  expected [n]i32, this is [m]i32
  2:11 the size n is a parameter
  2:14 the size m is a parameter
  2:45 expected [n]i32 as argument 3 of this
  if they are equal when the program runs, say so with `:>`
