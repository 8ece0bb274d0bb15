-- case: check
def main [n] (xs: [n]i32) : [n]i32 = filter (> 0) xs
-- ---
E0301 2:38 the sizes [n] and [k] differ
  expected [n]i32, this is [k]i32
  2:11 the size n is a parameter
  2:38 the size k is decided by this when it runs
  2:29 because the result has the type [n]i32
  if they are equal when the program runs, say so with `:>`
