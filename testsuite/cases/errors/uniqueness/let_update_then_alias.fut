-- case: check
def main (n: i64) =
  let xs = iota n
  let ys = xs
  let xs[0] = 5
  in (xs, ys)
-- ---
E0401 6:11 `ys` is used after `xs`, which may be the same array, was consumed
  used here
  5:7 consumed here, by this update
  `copy` makes a value that can be consumed
