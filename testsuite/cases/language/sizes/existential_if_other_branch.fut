-- case: run ( false 3i64 )
def main (b: bool) (n: i64) =
  let (xs, k) = if b then (iota n, n) else (iota (2 * n), 5)
  in (xs, k, length xs)
-- ---
[0i64, 1i64, 2i64, 3i64, 4i64, 5i64]
5i64
6i64
