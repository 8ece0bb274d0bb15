-- case: check
def main (xss: *[][]i32) =
  let row = xss[0]
  let yss = xss with [0, 0] = 7
  in (row, yss)
-- ---
E0401 5:7 `row` is used after `xss`, which may be the same array, was consumed
  used here
  4:13 consumed here, by this update
  `copy` makes a value that can be consumed
