-- case: check
def f (xs: *[]i32) = xs with [0] = 1
def main (xs: *[]i32) = let ys = f xs in xs[0] + ys[0]
-- ---
E0401 3:42 `xs` is used after it was consumed
  used here
  3:36 consumed here, by passing it to `f`
  `copy` makes a value that can be consumed
