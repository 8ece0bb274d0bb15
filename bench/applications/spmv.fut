-- Sparse matrix times vector, jagged diagonals (Parboil's spmv), and compressed rows by segmented sums.
-- ==
-- entry: main
-- script input { mk 12i64 }
-- output {
--   [0.000000f32, 0.751751f32, 1.000000f32, 0.113033f32, 0.183767f32, 0.832574f32, 0.679120f32, 0.531637f32, 0.279426f32, 0.791072f32,
--   0.404841f32, 0.081373f32]
-- }

def segmented_sum [n] (flags: [n]bool) (as: [n]f32) : [n]f32 =
  scan (\(x, a) (y, b) -> (x || y, if y then b else a + b)) (false, 0) (zip flags as) |> map (.1)
entry main [len][rows] (data: [len]f32) (cols: [len]i32) (starts: [rows]i32) (x: [rows]f32) (times: i32) : [rows]f32 =
  loop x for _i < times do
    let products = map2 (\d c -> d * x[c]) data cols
    let flags = scatter (replicate len false) (map i64.i32 starts) (replicate rows true)
    let sums = segmented_sum flags products
    let ends = map (\i -> if i + 1 < rows then starts[i + 1] - 1 else i32.i64 len - 1) (iota rows)
    let y = map (\e -> sums[e]) ends
    let m = f32.maximum (map f32.abs y)
    in map (/ m) y

def rnd (i: i64) : u32 =
  let x = u32.i64 i * 2654435761u32
  let x = (x ^ (x >> 15)) * 2246822519u32
  in (x ^ (x >> 13)) >> 4
def rndf (i: i64) : f32 = f32.u32 (rnd i) / 268435456f32
entry mk (n: i64) =
  let degrees = tabulate n (\i -> 1 + i32.u32 (rnd i % 30))
  let ends = scan (+) 0 degrees
  let m = i64.i32 (last ends)
  in (tabulate m rndf, tabulate m (\i -> i32.u32 (rnd (i + 123456) % u32.i64 n)), map2 (-) ends degrees, tabulate n (\i -> rndf (i + 9)), 10i32)
