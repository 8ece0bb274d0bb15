-- case: run ( 4i64 )
-- Two results of sizes of their own, one of them twice.
def f (n: i64): ?[k][m].([k]i64, [m]i64, [k]bool) =
  if n == 0
  then ([], [], [])
  else let (a, b, c) = f (n - 1) in (a ++ [n], b ++ [n, n], c ++ [n > 2])
def main n = f n
-- ---
[1i64, 2i64, 3i64, 4i64]
[1i64, 1i64, 2i64, 2i64, 3i64, 3i64, 4i64, 4i64]
[false, false, true, true]
