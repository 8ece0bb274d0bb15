-- case: check
def main [n][m] (xs: [n]i32) (ys: [m]f32) = zip xs ys
-- ---
E0301 2:52 the sizes [n] and [m] differ
  expected [n]f32, this is [m]f32
  2:11 the size n is a parameter
  2:14 the size m is a parameter
  2:45 expected [n]f32 as argument 2 of this
  if they are equal when the program runs, say so with `:>`
