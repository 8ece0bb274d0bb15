-- case: check
def main (xs: *[]i32) =
  let ys = reduce_by_index xs (+) 0 [0] [1]
  in (ys, xs)
-- ---
E0401 4:11 `xs` is used after it was consumed
  used here
  3:28 consumed here, by passing it to `reduce_by_index`
  `copy` makes a value that can be consumed
