-- Gaussian elimination with back-substitution (Rodinia's gaussian).
-- ==
-- entry: main
-- script input { mk 6i64 }
-- output {
--   [0.306025f32, 0.101343f32, -0.416195f32, 1.050329f32, -0.577616f32, 0.493660f32]
-- }

entry main [n] (m: [n][n]f32) (b: [n]f32) : [n]f32 =
  let aug = map2 (\row x -> row ++ [x] :> [n + 1]f32) m b
  let aug = loop a = copy aug for i < n do
    let p = loop p = i for j in i + 1..<n do if f32.abs a[j, i] > f32.abs a[p, i] then j else p
    let tmp = copy a[i]
    let a[i] = copy a[p]
    let a[p] = tmp
    let prow = copy a[i]
    in map2 (\r row -> if r <= i then row else
                       let f = row[i] / prow[i] in map2 (\x y -> x - f * y) row prow) (iota n) a
  in loop x = replicate n 0 for i in n - 1..n - 2...0 do
       x with [i] = (aug[i, n] - f32.sum (map2 (*) x aug[i, :n])) / aug[i, i]

def rnd (i: i64) : u32 =
  let x = u32.i64 i * 2654435761u32
  let x = (x ^ (x >> 15)) * 2246822519u32
  in (x ^ (x >> 13)) >> 4
def rndf (i: i64) : f32 = f32.u32 (rnd i) / 268435456f32
entry mk (n: i64) = (tabulate_2d n n (\i j -> rndf (i * n + j)), tabulate n (\i -> rndf (i + 3)))
