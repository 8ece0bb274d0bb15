-- case: run ( 60i64 3i64 7i64 )
-- More rows than cells, so that there are tables for several parts where few are enough: sums of rows by cell, where some belong to no cell, and pairs of rows of which the one with the greater first element stays.
#[noinline]
def sums [n][m] (k: i64) (is: [n]i64) (xs: [n][m]f32) =
  reduce_by_index (tabulate k (\c -> replicate m (f32.i64 c))) (map2 (+)) (replicate m 0) is xs

#[noinline]
def greatest [n] (k: i64) (is: [n]i64) (xs: [n][2]i32) =
  reduce_by_index (replicate k [-1, -1]) (\(a: [2]i32) (b: [2]i32) : [2]i32 -> if a[0] > b[0] || (a[0] == b[0] && a[1] > b[1]) then a else b) [i32.lowest, i32.lowest] is xs

entry main (n: i64) (m: i64) (k: i64) =
  let is = tabulate n (\i -> i * 5 % (k + 2) - 1)
  let xs = tabulate_2d n m (\i j -> f32.i64 ((i * 7 + j * 3) % 11))
  let all = sums k is xs
  let pairs = tabulate (2 * n) (\i -> [i32.i64 (i * 31 % 1009), i32.i64 (i % 1013)])
  let (firsts, totals) = unzip (map (\row -> (row[0], f32.sum row)) all)
  in (firsts, totals, greatest k (tabulate (2 * n) (% (k + 1))) pairs)
-- ---
-- [35.0f32, 35.0f32, 33.0f32, 30.0f32, 34.0f32, 45.0f32, 45.0f32]
-- [102.0f32, 102.0f32, 87.0f32, 89.0f32, 121.0f32, 132.0f32, 132.0f32]
-- [[992i32, 32i32], [1006i32, 65i32], [806i32, 26i32], [837i32, 27i32], [868i32, 28i32], [899i32, 29i32], [930i32, 30i32]]
