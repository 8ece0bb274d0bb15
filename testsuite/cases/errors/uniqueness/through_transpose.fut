-- case: check
def main (xss: *[][]i32) =
  let t = transpose xss
  let a = xss with [0, 0] = 1
  in (t, a)
-- ---
E0401 5:7 `t` is used after `xss`, which may be the same array, was consumed
  used here
  4:11 consumed here, by this update
  `copy` makes a value that can be consumed
