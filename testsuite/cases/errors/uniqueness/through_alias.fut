-- case: check
def main (xs: *[]i32) =
  let ys = xs
  let zs = xs with [0] = 1
  in ys[0] + zs[0]
-- ---
E0401 5:6 `ys` is used after `xs`, which may be the same array, was consumed
  used here
  4:12 consumed here, by this update
  `copy` makes a value that can be consumed
