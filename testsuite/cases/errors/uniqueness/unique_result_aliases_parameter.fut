-- case: check
def f (xs: []i32) : *[]i32 = xs
def main (xs: []i32) = f xs
-- ---
E0405 2:30 the result is declared `*`, but it may be `xs`, which the caller keeps
  declare `xs` with `*`, or return a `copy`
