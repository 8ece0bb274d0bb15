-- case: check
def main [n][m] (xss: [n][m]i32) = map2 (map2 (+)) xss (transpose xss)
-- ---
E0301 2:56 the sizes [m] and [n] differ
  expected [n][m]i32, this is [m][n]i32
  2:11 the size n is a parameter
  2:14 the size m is a parameter
  2:36 expected [n][m]i32 as argument 3 of this
  if they are equal when the program runs, say so with `:>`
