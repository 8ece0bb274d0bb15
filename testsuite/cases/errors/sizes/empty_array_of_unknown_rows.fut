-- case: check
def main (xs: []i32) =
  let a = [] : [][]i32
  let b = [filter (> 0) xs]
  in a[0] == b[0]
-- ---
E0306 3:11 the size k isn't known here yet
  4:12 the size k is decided by this when it runs
  bind what decides the size with `let` before this
