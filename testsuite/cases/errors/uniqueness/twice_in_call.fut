-- case: check
def f (xs: *[]i32) (ys: []i32) = xs with [0] = ys[0]
def main (xs: *[]i32) = f xs xs
-- ---
E0408 3:27 this argument is consumed, but it may be the same array as another argument
  3:30 the other argument
  `copy` makes a value that can be consumed
