-- case: run ( 3i64 )
def main (n: i64) =
  let xss = replicate n (replicate n 0i64)
  let xss[0] = iota n
  let xss[1, 1] = xss[0, 2] + 5
  let xss[:, 0] = replicate n 4
  in xss
-- ---
[[4i64, 1i64, 2i64], [4i64, 7i64, 0i64], [4i64, 0i64, 0i64]]
