-- case: check
def main (xs: *[]i32) =
  let ys = scatter xs [0] [1]
  in xs[0] + ys[0]
-- ---
E0401 4:6 `xs` is used after it was consumed
  used here
  3:20 consumed here, by passing it to `scatter`
  `copy` makes a value that can be consumed
