-- case: check
def main (xs: *[]i32) =
  let t = (xs, 1i32)
  let ys = xs with [0] = 1
  in (t.0, ys)
-- ---
E0401 5:7 `t` is used after `xs`, which may be the same array, was consumed
  used here
  4:12 consumed here, by this update
  `copy` makes a value that can be consumed
