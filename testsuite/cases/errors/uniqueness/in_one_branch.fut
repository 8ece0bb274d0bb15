-- case: check
def main (b: bool) (xs: *[]i32) =
  let ys = if b then xs with [0] = 1 else copy xs
  in ys[0] + xs[0]
-- ---
E0401 4:14 `xs` is used after it was consumed
  used here
  3:22 consumed here, by this update
  `copy` makes a value that can be consumed
