-- case: run ( [1i64, 2i64] [1i64, 10i64] [[0i64, 0i64], [5i64, 7i64]] )
-- each applies the one before twice: the last adds ys 1024 times
def main [n] [m] (xs: [n]i64) (ys: [n]i64) (rows: [m][n]i64) =
  let f0 (z: [n]i64) = map2 (+) z ys
  let f1 (z: [n]i64) = f0 (f0 z)
  let f2 (z: [n]i64) = f1 (f1 z)
  let f3 (z: [n]i64) = f2 (f2 z)
  let f4 (z: [n]i64) = f3 (f3 z)
  let f5 (z: [n]i64) = f4 (f4 z)
  let f6 (z: [n]i64) = f5 (f5 z)
  let f7 (z: [n]i64) = f6 (f6 z)
  let f8 (z: [n]i64) = f7 (f7 z)
  let f9 (z: [n]i64) = f8 (f8 z)
  let f10 (z: [n]i64) = f9 (f9 z)
  in (f10 xs, map f10 rows)
-- ---
[1025i64, 10242i64]
[[1024i64, 10240i64], [1029i64, 10247i64]]
