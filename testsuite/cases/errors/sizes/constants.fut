-- case: check
def f (xs: [3]i32) = xs[0]
def main (x: i32) = f [x, x]
-- ---
E0301 3:23 the sizes [3] and [2] differ
  expected [3]i32, this is [2]i32
  3:21 expected [3]i32 as argument 1 of this
  if they are equal when the program runs, say so with `:>`
