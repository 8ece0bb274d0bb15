-- case: run ( [1i64, 2i64] [10i64, 20i64] )
-- The counter of a loop around the derivative is written into an array that has tangents.
def main [n] (xs: [n]i64) (ts: [n]i64): ([n]i64, [n]i64) =
  loop (ys, dys) = (xs, ts) for i < n do
    jvp2 (\(zs: [n]i64) -> copy (map (* 2) zs) with [0] = i) ys dys
-- ---
[1i64, 8i64]
[0i64, 80i64]
