-- Break detection in many time series: batched least squares with gaps, by Gauss-Jordan, then moving sums of residuals.
-- ==
-- entry: main
-- script input { mk 3i64 }
-- output {
--   [162i32, 221i32, -1i32]
--   [9.690645f32, 0.608987f32, -0.331356f32]
-- }

def dotnan [n] (mask: [n]bool) (a: [n]f32) (b: [n]f32) : f32 =
  f32.sum (map3 (\m x y -> if m then x * y else 0) mask a b)
def gauss_jordan [n][m] (a: *[n][m]f32) : [n][m]f32 =
  loop a for i < n do
    let irow = copy a[i]
    let pivot = irow[i]
    let irow = map (/ pivot) irow
    in map2 (\j row -> if j == i then irow else
                       let f = row[i] in map2 (\x y -> x - f * y) row irow) (iota n) a
def inverse [n] (a: [n][n]f32) : [n][n]f32 =
  let padded = map2 (\row i -> row ++ map (\j -> f32.bool (i == j)) (iota n)) a (iota n)
  in map (\row -> row[n:] :> [n]f32) (gauss_jordan (copy padded))
def design (k2p2: i64) (n: i64) (freq: f32) : [k2p2][n]f32 =
  tabulate_2d k2p2 n (\i j ->
    let t = f32.i64 (j + 1)
    in if i == 0 then 1 else if i == 1 then t / f32.i64 n
       else let angle = 2 * f32.pi * f32.i64 (i / 2) * t / freq in if i % 2 == 0 then f32.sin angle else f32.cos angle)
def filter_pad [n] (xs: [n]f32) : ([n]f32, [n]i32, i32) =
  let ok = map (\x -> !(f32.isnan x)) xs
  let ps = scan (+) 0 (map i64.bool ok)
  let at = map2 (\o p -> if o then p - 1 else -1) ok ps
  in (scatter (replicate n f32.nan) at xs, scatter (replicate n 0) at (map i32.i64 (iota n)), i32.i64 ps[n - 1])
entry main [m][total] (k: i64) (n: i64) (hfrac: f32) (lam: f32) (images: [m][total]f32) =
  let k2p2 = 2 * k + 2
  let x = design k2p2 total 12
  let xh = x[:, :n]
  let yh = images[:, :n]
  let masks = map (map (\v -> !(f32.isnan v))) yh
  let xsqr = map (\mask -> map (\a -> map (\b -> dotnan mask a b) xh) xh) masks
  let inv = map inverse xsqr
  let xy = map2 (\mask y -> map (\a -> dotnan mask a y) xh) masks yh
  let beta = map2 (\i v -> map (\row -> f32.sum (map2 (*) row v)) i) inv xy
  let preds = map (\b -> map (\col -> f32.sum (map2 (*) b col)) (transpose x)) beta
  let (errs, inds, counts) = map2 (\y p -> filter_pad (map2 (-) y p)) images preds |> unzip3
  let (hs, nss, sigmas) = unzip3 (map2 (\y e ->
    let ns = i32.sum (map (\v -> i32.bool (!(f32.isnan v))) y)
    let ss = f32.sum (map (\i -> if i < i64.i32 ns then e[i] * e[i] else 0) (iota n))
    in (i32.f32 (f32.i32 ns * hfrac), ns, f32.sqrt (ss / f32.i32 (ns - i32.i64 k2p2)))) yh errs)
  let hmax = i64.i32 (i32.maximum hs)
  let mo0 = map3 (\e ns h -> f32.sum (map (\i -> if i < i64.i32 h then e[i + i64.i32 (ns - h) + 1] else 0) (iota hmax))) errs nss hs
  let monitor = total - n
  let bound = tabulate monitor (\i -> let t = f32.i64 (n + 1 + i) / f32.i64 n
                                      in lam * f32.sqrt (if t > f32.e then f32.log t else 1))
  let (breaks, means) = unzip (map (\i ->
    let (e, ns, h, count, sigma, ind) = #[unsafe] (errs[i], nss[i], hs[i], counts[i], sigmas[i], inds[i])
    let diffs = tabulate monitor (\j -> if j >= i64.i32 (count - ns) then 0 else if j == 0 then mo0[i]
                                        else e[i64.i32 ns + j] - e[i64.i32 (ns - h) + j])
    let mo = scan (+) 0 diffs |> map (\v -> v / (sigma * f32.sqrt (f32.i32 ns)))
    let first = reduce i64.min i64.highest (map3 (\v b j -> if j < i64.i32 (count - ns) && f32.abs v > b then j else i64.highest) mo bound (iota monitor))
    in (if first == i64.highest then -1 else ind[i64.i32 ns + first], f32.sum mo / f32.i64 monitor)) (iota m))
  in (breaks, means)

def rnd (i: i64) : u32 =
  let x = u32.i64 i * 2654435761u32
  let x = (x ^ (x >> 15)) * 2246822519u32
  in (x ^ (x >> 13)) >> 4
def rndf (i: i64) : f32 = f32.u32 (rnd i) / 268435456f32
entry mk (n: i64) = (3i64, 113i64, 0.25f32, 1.7f32, tabulate_2d n 235 (\i j ->
  if rnd (i * 235 + j) % 7 == 0 then f32.nan else rndf (i * 235 + j + 11) + f32.sin (f32.i64 j * 0.5236) + (if j > 170 && i % 3 == 0 then 2 else 0)))
