-- case: run ( 2i64 )
def main (n: i64) =
  let a = tabulate n (\i -> tabulate_3d 1 n 2 (\j k l -> i * 1000 + j * 100 + k * 10 + l))
  in (map (map (map i64.sum)) a, a[1, 0, 1, 1])
-- ---
[[[1i64, 21i64]], [[2001i64, 2021i64]]]
1011i64
