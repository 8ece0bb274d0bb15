-- case: check
def main (xs: []i32) = map2 (+) (filter (> 0) xs) (filter (> 0) xs)
-- ---
E0301 2:51 the sizes [k] and [k1] differ
  expected [k]i32, this is [k1]i32
  2:34 the size k is decided by this when it runs
  2:52 the size k is decided by this when it runs
  2:24 expected [k]i32 as argument 3 of this
  if they are equal when the program runs, say so with `:>`
