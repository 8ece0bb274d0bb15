-- case: run ( 4i64 )
def main (n: i64) =
  let xs = iota n
  let xs[1] = 10
  let xs[n - 1] = xs[1] + 1
  in xs
-- ---
[0i64, 10i64, 2i64, 11i64]
