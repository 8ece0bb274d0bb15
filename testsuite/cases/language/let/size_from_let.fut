-- case: run ( 2i64 )
def main (n: i64) =
  let m = n + 1
  let xs: [m]i64 = iota m
  in map2 (+) xs (replicate m 1)
-- ---
[1i64, 2i64, 3i64]
