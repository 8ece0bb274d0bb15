-- American options by binomial trees (FinPar's and Accelerate's binomial pricing).
-- ==
-- entry: main
-- script input { mk 3i64 }
-- output {
--   [0.888263f32, 3.922306f32, 8.485689f32]
-- }

type option = {s: f32, k: f32, t: f32, r: f32, sigma: f32, call: bool}
def steps = 256i64
def price (o: option) : f32 =
  let dt = o.t / f32.i64 steps
  let u = f32.exp (o.sigma * f32.sqrt dt)
  let d = 1 / u
  let a = f32.exp (o.r * dt)
  let p = (a - d) / (u - d)
  let disc = 1 / a
  let spot i j = o.s * u ** f32.i64 j * d ** f32.i64 (i - j)
  let payoff s = f32.max 0 (if o.call then s - o.k else o.k - s)
  let leaves = tabulate (steps + 1) (\j -> payoff (spot steps j))
  let vals = loop vals = leaves for i in steps - 1..steps - 2...0 do
    tabulate (steps + 1) (\j -> if j > i then 0 else
      f32.max (payoff (spot i j)) (disc * (p * vals[j + 1] + (1 - p) * vals[j])))
  in vals[0]
entry main [n] (ss: [n]f32) (ks: [n]f32) (ts: [n]f32) (r: f32) (sigma: f32) : [n]f32 =
  map3 (\s k t -> price {s, k, t, r, sigma, call = k > s}) ss ks ts

def rnd (i: i64) : u32 =
  let x = u32.i64 i * 2654435761u32
  let x = (x ^ (x >> 15)) * 2246822519u32
  in (x ^ (x >> 13)) >> 4
def rndf (i: i64) : f32 = f32.u32 (rnd i) / 268435456f32
entry mk (n: i64) = (tabulate n (\i -> 80 + 40 * rndf i), tabulate n (\i -> 80 + 40 * rndf (i + 999)), tabulate n (\i -> 0.2 + rndf (i + 5000)), 0.03f32, 0.3f32)
