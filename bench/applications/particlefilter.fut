-- A particle filter that tracks a disc in noisy frames (Rodinia's particlefilter).
-- ==
-- entry: main
-- script input { mk 500i64 }
-- output {
--   [63.995850f32, 64.994156f32, 66.087250f32, 66.966148f32, 67.972237f32, 68.936890f32, 70.004143f32, 71.171028f32, 72.000427f32, 72.954666f32]
--   [63.185631f32, 61.797348f32, 60.003880f32, 57.885769f32, 55.963154f32, 53.979061f32, 51.995899f32, 49.995663f32, 48.193115f32, 46.272141f32]
-- }

module rng = {
  type t = i32
  def next (s: t) : t = let k = 1103515245i32 * s + 12345 in i32.abs (k % 1000003 + 1000003) % 1000003
  def uniform (s: t) : (t, f32) = let s = next s in (s, f32.abs (f32.i32 s / 1000003))
  def normal (s: t) : (t, f32) =
    let (s, u) = uniform s
    let (s, v) = uniform s
    in (s, f32.sqrt (-2 * f32.log (u + 1e-6)) * f32.cos (2 * f32.pi * v))
}
def disc (radius: i64) : [](i64, i64) =
  let d = radius * 2 - 1
  in filter (\(x, y) -> f32.sqrt (f32.i64 ((x - radius + 1) ** 2) + f32.i64 ((y - radius + 1) ** 2)) < f32.i64 radius)
            (map (\k -> (k % d, k / d)) (iota (d * d)))
     |> map (\(x, y) -> (x - radius + 1, y - radius + 1))

def find_index [n] (cdf: [n]f32) (value: f32) : i64 =
  let (lo, _) = loop (lo, hi) = (0, n - 1) while lo < hi do
    let mid = (lo + hi) / 2
    in if cdf[mid] >= value then (lo, mid) else (mid + 1, hi)
  in lo

entry main [h][w][frames] (video: [frames][h][w]u8) (n: i64) =
  let offsets = disc 5
  let count = f32.i64 (length offsets)
  let xs = replicate n (f32.i64 (w / 2))
  let ys = replicate n (f32.i64 (h / 2))
  let weights = replicate n (1 / f32.i64 n)
  let seeds = tabulate n (\i -> i32.i64 (i * 7 + 3))
  let (_, _, _, _, path) =
    loop (xs, ys, weights, seeds, path) = (xs, ys, weights, seeds, replicate frames (0f32, 0f32)) for k < frames do
      let frame = video[k]
      let (seeds, xs, ys) = unzip3 (map3 (\s x y -> let (s, a) = rng.normal s
                                                    let (s, b) = rng.normal s
                                                    in (s, x + 1 + 5 * a, y - 2 + 2 * b)) seeds xs ys)
      let likelihood x y =
        let at (dx, dy) =
          let i = i64.max 0 (i64.min (h - 1) (i64.f32 (f32.round y) + dy))
          let j = i64.max 0 (i64.min (w - 1) (i64.f32 (f32.round x) + dx))
          let p = f32.u8 frame[i, j]
          in ((p - 100) ** 2 - (p - 228) ** 2) / 50
        in f32.sum (map at offsets) / count
      let l = map2 likelihood xs ys
      let weights = map2 (\w l -> w * f32.exp (l / 100)) weights l
      let total = f32.sum weights
      let weights = map (/ total) weights
      let xe = f32.sum (map2 (*) xs weights)
      let ye = f32.sum (map2 (*) ys weights)
      let path = path with [k] = (xe, ye)
      let cdf = scan (+) 0 weights
      let u1 = (rng.uniform seeds[0]).1 / f32.i64 n
      let picked = tabulate n (\i -> find_index cdf (u1 + f32.i64 i / f32.i64 n))
      in (map (\i -> xs[i]) picked, map (\i -> ys[i]) picked, replicate n (1 / f32.i64 n), seeds, path)
  in unzip path

entry mk (n: i64) =
  (tabulate_3d 10 128 128 (\k i j -> let (x, y) = (64 + k, 64 - 2 * k) in
    if (i - y) ** 2 + (j - x) ** 2 < 25 then 228u8 else 100 + u8.i64 ((i * 31 + j * 17 + k) % 11)), n)
