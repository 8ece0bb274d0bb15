-- case: run ( [1i64, 2, 3, 5, 6, 7, 8, 9, 11, 13] 13i64 )
-- Products of as many rows as fill small tiles and halves of tiles, or one fewer, of integers and of doubles; and one of a tile of 12 rows and one row more.
def times [n][m][p] 't (dot: [m]t -> [m]t -> t) (a: [n][m]t) (b: [m][p]t) : [n][p]t =
  map (\row -> map (\column -> dot row column) (transpose b)) a
def cell (i: i64) (j: i64) : i32 = i32.i64 ((i * 7 + j * j * 5 + i * j) % 19 - 9)
def mixed [n][p] (c: [n][p]i32) : i32 = loop all = 0 for i < n do loop all for j < p do all * 31 + c[i, j]
def ints n m p = mixed (times (\row column -> reduce (+) 0 (map2 (*) row column)) (tabulate_2d n m cell) (tabulate_2d m p (\i j -> cell j i)))
def doubles n m p =
  let a = tabulate_2d n m (\i j -> f64.i32 (cell i j))
  let b = tabulate_2d m p (\i j -> f64.i32 (cell j i))
  in mixed (map (map i32.f64) (times (\row column -> reduce (+) 0 (map2 (*) row column)) a b))
def main [l] (small: [l]i64) (usual: i64) =
  let (is, ds) = loop (is, ds) = (replicate l 0, replicate l 0) for t < l do
    (is with [t] = ints small[t] 2 5, ds with [t] = doubles small[t] 2 5)
  in (is, ds, ints usual 16 16)
-- ---
-- [89626575i32, -970019925i32, -703520257i32, 282904394i32, 675142599i32, 2147341430i32, -2097909289i32, 1928014689i32, -239563252i32, -1157336132i32]
-- [89626575i32, -970019925i32, -703520257i32, 282904394i32, 675142599i32, 2147341430i32, -2097909289i32, 1928014689i32, -239563252i32, -1157336132i32]
-- -1610677733i32
