-- Heston calibration pieces: prices of calls by Gauss-Laguerre quadrature of characteristic functions, generic in the real.
-- ==
-- entry: main
-- script input { mk 2i64 }
-- output {
--   [5.209168f32, 5.286755f32]
-- }

module mk_complex (R: float) = {
  type t = {re: R.t, im: R.t}
  def mk re im : t = {re, im}
  def real re : t = {re, im = R.i32 0}
  def (a: t) + (b: t) : t = {re = a.re R.+ b.re, im = a.im R.+ b.im}
  def (a: t) - (b: t) : t = {re = a.re R.- b.re, im = a.im R.- b.im}
  def (a: t) * (b: t) : t = {re = a.re R.* b.re R.- a.im R.* b.im, im = a.re R.* b.im R.+ a.im R.* b.re}
  def (a: t) / (b: t) : t =
    let d = b.re R.* b.re R.+ b.im R.* b.im
    in {re = (a.re R.* b.re R.+ a.im R.* b.im) R./ d, im = (a.im R.* b.re R.- a.re R.* b.im) R./ d}
  def exp (a: t) : t = let e = R.exp a.re in {re = e R.* R.cos a.im, im = e R.* R.sin a.im}
  def mag (a: t) = R.sqrt (a.re R.* a.re R.+ a.im R.* a.im)
  def arg (a: t) = R.atan2 a.im a.re
  def log (a: t) : t = {re = R.log (mag a), im = arg a}
  def sqrt (a: t) : t =
    let m = R.sqrt (mag a)
    let h = arg a R./ R.i32 2
    in {re = m R.* R.cos h, im = m R.* R.sin h}
}
module heston (R: float) = {
  module c = mk_complex R
  type params = {kappa: R.t, theta: R.t, sigma: R.t, rho: R.t, v0: R.t}
  def cf (p: params) (t: R.t) (u: c.t) : c.t =
    let i = c.mk (R.i32 0) (R.i32 1)
    let s2 = R.(p.sigma * p.sigma)
    let rsi = c.(real R.(p.rho * p.sigma) * i * u)
    let b = c.(real p.kappa - rsi)
    let d = c.(sqrt (b * b + real s2 * (i * u + u * u)))
    let g = c.((b - d) / (b + d))
    let e = c.(exp (real (R.neg t) * d))
    let one = c.real (R.i32 1)
    let cc = c.(real R.(p.kappa * p.theta / s2) * ((b - d) * real t - real (R.i32 2) * log ((one - g * e) / (one - g))))
    let dd = c.((b - d) / real s2 * ((one - e) / (one - g * e)))
    in c.(exp (cc + dd * real p.v0))
  def price [m] (p: params) (xs: [m]R.t) (ws: [m]R.t) (t: R.t) (moneyness: R.t) : R.t =
    let k = R.log moneyness
    let term x w =
      let u = c.mk x (R.f64 (-0.5))
      let f = cf p t u
      let rot = c.exp (c.mk (R.i32 0) R.(x * k))
      in R.(w * (c.(rot * f)).re / (x * x + f64 0.25))
    in R.(i32 1 - sqrt moneyness * sum (map2 term xs ws) / pi)
}
module h = heston {open f32}
entry main [q][m] (ts: [q]f32) (ks: [q]f32) (xs: [m]f32) (ws: [m]f32) (kappas: []f32) : []f32 =
  map (\kappa ->
    let p = {kappa, theta = 0.04, sigma = 0.4, rho = -0.6, v0 = 0.05f32}
    in map2 (h.price p xs ws) ts ks |> f32.sum) kappas

def rnd (i: i64) : u32 =
  let x = u32.i64 i * 2654435761u32
  let x = (x ^ (x >> 15)) * 2246822519u32
  in (x ^ (x >> 13)) >> 4
def rndf (i: i64) : f32 = f32.u32 (rnd i) / 268435456f32
entry mk (n: i64) = (tabulate 200 (\i -> 0.1 + 2 * rndf i), tabulate 200 (\i -> 0.8 + 0.4 * rndf (i + 7)), tabulate 32 (\i -> 0.2 + f32.i64 i * 0.5), replicate 32 0.5f32, tabulate n (\i -> 1 + rndf i))
