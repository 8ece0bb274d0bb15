-- case: check
def main (xs: *[]i32) (n: i32) =
  loop ys = xs for i < n do
    let zs = ys with [0] = i
    in map2 (+) zs ys
-- ---
E0401 5:20 `ys` is used after it was consumed
  used here
  4:14 consumed here, by this update
  `copy` makes a value that can be consumed
