-- Hull-White trinomial trees, one flat array per option (FinPar's), with loops that work in place.
-- ==
-- entry: main
-- script input { mk 4i64 }
-- output {
--   [0.000000000000000f64, 0.000218995072109f64, 0.000708745427507f64, 0.000000000000000f64]
-- }

type option = {strike: f64, maturity: f64, rate: f64, vol: f64}
def width = 101i64
def value (yield_at: f64 -> f64) (o: option) : f64 =
  let n = 100i64
  let dt = o.maturity / f64.i64 n
  let a = o.rate
  let m = f64.exp (-a * dt) - 1
  let dr = o.vol * f64.sqrt (3 * dt)
  let jmax = i64.min 50 (1 + i64.f64 (-0.184 / m))
  let probabilities (j: i64) =
    let x = f64.i64 j * m
    let x2 = x * x
    in if j == jmax then (7 / 6 + (x2 + 3 * x) / 2, -1 / 3 - x2 - 2 * x, 1 / 6 + (x2 + x) / 2)
       else if j == -jmax then (1 / 6 + (x2 - x) / 2, -1 / 3 - x2 + 2 * x, 7 / 6 + (x2 - 3 * x) / 2)
       else (1 / 6 + (x2 + x) / 2, 2 / 3 - x2, 1 / 6 + (x2 - x) / 2)
  let size = 2 * jmax + 1
  let (_, alphas) =
    loop (qs, alphas) = (tabulate size (\j -> if j == jmax then 1f64 else 0), replicate (n + 1) 0) for i < n do
      let s = f64.sum (map2 (\q j -> q * f64.exp (-f64.i64 (j - jmax) * dr * dt)) qs (iota size))
      let alpha = f64.log (s / yield_at (f64.i64 (i + 1) * dt)) / dt
      let alphas = alphas with [i] = alpha
      let go (j: i64) (k: i64) =  -- from j to k
        if j < 0 || j >= size then 0 else
        let (pu, pm, pd) = probabilities (j - jmax)
        let p = if j == size - 1 then (if k == j then pu else if k == j - 1 then pm else if k == j - 2 then pd else 0)
                else if j == 0 then (if k == j then pd else if k == 1 then pm else if k == 2 then pu else 0)
                else (if k == j + 1 then pu else if k == j then pm else if k == j - 1 then pd else 0)
        in qs[j] * p * f64.exp (-(alpha + f64.i64 (j - jmax) * dr) * dt)
      let qs = tabulate size (\k -> f64.sum (map (\o -> go (k + o - 2) k) (iota 5)))
      in (qs, alphas)
  let final = loop call = replicate size 100f64 for i in n - 1..n - 2...0 do
    tabulate size (\j ->
      let (pu, pm, pd) = probabilities (j - jmax)
      let df = f64.exp (-(alphas[i] + f64.i64 (j - jmax) * dr) * dt)
      let c = if j == size - 1 then pu * call[j] + pm * call[j - 1] + pd * call[j - 2]
              else if j == 0 then pu * call[2] + pm * call[1] + pd * call[0]
              else pu * call[j + 1] + pm * call[j] + pd * call[j - 1]
      in if i == n / 2 then f64.max (o.strike - df * c) 0 else df * c)
  in final[jmax]
entry main [n] (strikes: [n]f64) (maturities: [n]f64) (rates: [n]f64) (vols: [n]f64) : [n]f64 =
  let yield t = f64.exp (-(0.03 + 0.01 * t / (1 + t)) * t)
  in map4 (\strike maturity rate vol -> value yield {strike, maturity, rate, vol}) strikes maturities rates vols

def rnd (i: i64) : u32 =
  let x = u32.i64 i * 2654435761u32
  let x = (x ^ (x >> 15)) * 2246822519u32
  in (x ^ (x >> 13)) >> 4
def rndf (i: i64) : f32 = f32.u32 (rnd i) / 268435456f32
entry mk (n: i64) = let f o a b = tabulate n (\i -> a + b * f64.f32 (rndf (i + o))) in (f 0 60 20, f 7 5 4, f 17 0.05 0.1, f 99 0.005 0.01)
