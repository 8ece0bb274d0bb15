-- case: check
def main (xs: *[]i32) (n: i32) =
  let ys = loop ys = xs for i < n do ys with [0] = i
  in ys[0] + xs[0]
-- ---
E0401 4:14 `xs` is used after it was consumed
  used here
  3:22 consumed here, as the initial value of this loop
  `copy` makes a value that can be consumed
