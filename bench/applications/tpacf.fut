-- Two-point angular correlation (Parboil's tpacf).
-- ==
-- entry: main
-- script input { mk 10i64 }
-- output {
--   [0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 1i64, 3i64, 0i64, 3i64, 4i64, 8i64, 4i64, 0i64, 0i64, 0i64, 0i64, 0i64,
--   0i64, 0i64, 22i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64]
--   [0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 1i64, 4i64, 5i64, 2i64, 19i64, 30i64, 58i64, 11i64, 0i64, 0i64, 0i64, 0i64,
--   0i64, 0i64, 0i64, 50i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64]
--   [10i64, 0i64, 0i64, 0i64, 0i64, 0i64, 1i64, 0i64, 0i64, 0i64, 4i64, 6i64, 7i64, 13i64, 28i64, 54i64, 108i64, 19i64, 0i64, 0i64, 0i64, 0i64,
--   0i64, 0i64, 0i64, 150i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64]
-- }

type vec3 = (f64, f64, f64)
def bins = 32i64
def spherical (ra: f64, dec: f64) : vec3 =
  let (ra, dec) = (ra * f64.pi / 180 / 60, dec * f64.pi / 180 / 60)
  let cd = f64.cos dec
  in (f64.cos ra * cd, f64.sin ra * cd, f64.sin dec)
def bin_bounds : [bins]f64 =
  tabulate bins (\k -> f64.cos (10 ** (f64.log10 1 + f64.i64 k / 5) / 60 * f64.pi / 180))
def correlate [n][m] (bounds: [bins]f64) (xs: [n]vec3) (ys: [m]vec3) (self: bool) : [bins + 1]i64 =
  let one i (x1, y1, z1) =
    loop hist = replicate (bins + 1) 0i64 for j < m do
      if self && j <= i then hist else
      let (x2, y2, z2) = ys[j]
      let d = x1 * x2 + y1 * y2 + z1 * z2
      let (lo, _) = loop (lo, hi) = (0, bins) while lo < hi do
        let mid = (lo + hi) / 2
        in if d >= bounds[mid] then (lo, mid) else (mid + 1, hi)
      in hist with [lo] = hist[lo] + 1
  in reduce (map2 (+)) (replicate (bins + 1) 0) (map2 one (iota n) xs)
entry main [n][s] (data: [n][2]f64) (random: [s][n][2]f64) =
  let bounds = copy bin_bounds
  let to r = map (\p -> spherical (p[0], p[1])) r
  let d = to data
  let rs = map to random
  let dd = correlate bounds d d true
  let rr = map (\r -> correlate bounds r r true) rs |> transpose |> map i64.sum
  let dr = map (\r -> correlate bounds d r false) rs |> transpose |> map i64.sum
  in (dd, rr, dr)

def rnd (i: i64) : u32 =
  let x = u32.i64 i * 2654435761u32
  let x = (x ^ (x >> 15)) * 2246822519u32
  in (x ^ (x >> 13)) >> 4
def rndf (i: i64) : f32 = f32.u32 (rnd i) / 268435456f32
def p (i: i64) : [2]f64 = [f64.f32 (rndf i) * 3000, f64.f32 (rndf (i + 1)) * 2000]
entry mk (n: i64) = (tabulate n (\i -> p (2 * i)), tabulate_2d 4 n (\s i -> p (s * 100003 + 2 * i)))
