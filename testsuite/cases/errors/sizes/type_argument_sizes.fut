-- case: check
def pair 'a (x: a) (y: a) = [x, y]
def main (x: i32) = pair [x] [x, x]
-- ---
E0301 3:30 the sizes [1] and [2] differ
  expected [1]i32, this is [2]i32
  3:21 expected [1]i32 as argument 2 of this
  if they are equal when the program runs, say so with `:>`
