-- case: check
def main [n][m] (xss: [n][m]i32) (ys: [n]i32) = map (map2 (+) ys) xss
-- ---
E0301 2:67 the sizes [n] and [m] differ
  expected [_][n]i32, this is [n][m]i32
  2:11 the size n is a parameter
  2:14 the size m is a parameter
  2:49 expected [_][n]i32 as argument 2 of this
  if they are equal when the program runs, say so with `:>`
