-- case: check
def main (xs: *[]i32) = let ys = xs with [0] = 1 in (xs, ys)
-- ---
E0401 2:54 `xs` is used after it was consumed
  used here
  2:34 consumed here, by this update
  `copy` makes a value that can be consumed
