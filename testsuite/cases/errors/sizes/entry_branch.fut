-- case: check
def main [n] (b: bool) (xs: [n]i32) : [n]i32 = if b then xs else xs[1:]
-- ---
E0301 2:48 the sizes [n] and [k] differ
  expected [n]i32, this is [k]i32
  2:11 the size n is a parameter
  2:48 the branches give different sizes
  2:39 because the result has the type [n]i32
  if they are equal when the program runs, say so with `:>`
