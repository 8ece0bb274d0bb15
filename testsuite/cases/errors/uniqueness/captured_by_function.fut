-- case: check
def main (xs: *[]i32) =
  let f i = xs[i]
  let ys = xs with [0] = 1
  in f 0i64 + ys[0]
-- ---
E0401 5:6 `f` is used after `xs`, which may be the same array, was consumed
  used here
  4:12 consumed here, by this update
  `copy` makes a value that can be consumed
