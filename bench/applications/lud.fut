-- LU decomposition by rows, in place with nested maps (Rodinia's lud without blocks).
-- ==
-- entry: main
-- script input { mk 5i64 }
-- output {
--   [[50.000000f32, 0.363580f32, 0.831940f32, 0.058441f32, 0.187078f32], [0.016794f32, 50.052132f32, 0.359933f32, 0.896253f32, 0.572921f32],
--   [0.004049f32, 0.000645f32, 50.054260f32, 0.972281f32, 0.269922f32], [0.016984f32, 0.017847f32, 0.018359f32, 50.222248f32, 0.878910f32],
--   [0.018562f32, 0.004415f32, 0.009364f32, 0.012475f32, 50.096230f32]]
-- }

entry main [n] (a: *[n][n]f32) : [n][n]f32 =
  loop a for k < n - 1 do
    let pivot = a[k, k]
    let col = map (/ pivot) a[k + 1:, k]
    let a[k + 1:, k] = col
    let row = copy a[k, k + 1:]
    let a[k + 1:, k + 1:] = map2 (\l r -> map2 (\x u -> x - l * u) r row) (copy a[k + 1:, k]) a[k + 1:, k + 1:]
    in a

def rnd (i: i64) : u32 =
  let x = u32.i64 i * 2654435761u32
  let x = (x ^ (x >> 15)) * 2246822519u32
  in (x ^ (x >> 13)) >> 4
def rndf (i: i64) : f32 = f32.u32 (rnd i) / 268435456f32
entry mk (n: i64) = tabulate_2d n n (\i j -> rndf (i * n + j) + (if i == j then 50 else 0))
