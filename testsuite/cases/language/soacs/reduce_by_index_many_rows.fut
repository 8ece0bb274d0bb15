-- case: run ( 2200i64 30i64 7i64 )
-- Enough values for tables of several parts: sums of rows by cell, where some belong to no cell, and pairs of rows of which the one with the greater first element stays.
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
  let pairs = tabulate (16 * n) (\i -> [i32.i64 (i * 31 % 1009), i32.i64 (i % 1013)])
  let (firsts, totals) = unzip (map (\row -> (row[0], f32.sum row)) all)
  in (firsts, totals, greatest k (tabulate (16 * n) (% (k + 1))) pairs)
-- ---
-- [1221.0f32, 1220.0f32, 1227.0f32, 1223.0f32, 1226.0f32, 1236.0f32, 1228.0f32]
-- [36750.0f32, 36636.0f32, 36670.0f32, 36693.0f32, 36867.0f32, 36903.0f32, 36777.0f32]
-- [[1008i32, 350i32], [1008i32, 346i32], [1008i32, 342i32], [1008i32, 338i32], [1008i32, 334i32], [1008i32, 330i32], [1008i32, 358i32]]
