-- case: run ( 3i64 )
def main (n: i64) =
  let ts = tabulate n (\i -> (i, i * i, i % 2 == 0))
  let (a, b, c) = unzip3 ts
  in (ts[2].1, ts[1].2, a, b, c, length ts)
-- ---
4i64
false
[0i64, 1i64, 2i64]
[0i64, 1i64, 4i64]
[true, false, true]
3i64
