-- case: run ( 3i64 [0i64, 2i64, 0i64, 3i64] [[1, 2], [3, 4], [5, 6], [7, 8]] [1i64, 2i64, 3i64, 4i64] )
-- Sums and counts in one histogram: an array beside a number, on either side.
entry main [n][d] (k: i64) (m: [n]i64) (ps: [n][d]i32) (c: [n]i64) =
  let f = reduce_by_index (replicate k (replicate d 0, 10i64)) (\(a, b) (x, y) -> (map2 (+) a x, b + y)) (replicate d 0, 0) m (zip ps c)
  let g = reduce_by_index (replicate k (0i64, replicate d 1)) (\(b, a) (y, x) -> (i64.max b y, map2 (*) a x)) (0, replicate d 1) m (zip c ps)
  in (unzip f, unzip g)
-- ---
-- [[6i32, 8i32], [0i32, 0i32], [3i32, 4i32]]
-- [14i64, 10i64, 12i64]
-- [3i64, 0i64, 2i64]
-- [[5i32, 12i32], [1i32, 1i32], [3i32, 4i32]]
