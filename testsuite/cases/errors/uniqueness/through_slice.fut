-- case: check
def main (xs: *[]i32) =
  let ys = xs[1:]
  let zs = xs with [0] = 1
  in (ys, zs)
-- ---
E0401 5:7 `ys` is used after `xs`, which may be the same array, was consumed
  used here
  4:12 consumed here, by this update
  `copy` makes a value that can be consumed
