-- Cells as systems of differential equations, Runge-Kutta-Fehlberg with step control (as Rodinia's myocyte), one cell each.
-- ==
-- entry: main
-- script input { mk 2i64 }
-- output {
--   [[22.513777f32, 0.684992f32, 0.404072f32, 0.436237f32], [25.021801f32, 0.695374f32, 0.404058f32, 0.437806f32]]
--   [100000i32, 100000i32]
-- }

def states = 4i64
type params = {gna: f32, gk: f32, gl: f32, stim: f32}
def derivatives (p: params) (t: f32) (y: [states]f32) : [states]f32 =
  let (v, m, h, n) = (y[0], y[1], y[2], y[3])
  let am = 0.1 * (v + 40.001) / (1 - f32.exp (-(v + 40.001) / 10))
  let bm = 4 * f32.exp (-(v + 65) / 18)
  let ah = 0.07 * f32.exp (-(v + 65) / 20)
  let bh = 1 / (1 + f32.exp (-(v + 35) / 10))
  let an = 0.01 * (v + 55.001) / (1 - f32.exp (-(v + 55.001) / 10))
  let bn = 0.125 * f32.exp (-(v + 65) / 80)
  let ina = p.gna * m ** 3 * h * (v - 50)
  let ik = p.gk * n ** 4 * (v + 77)
  let il = p.gl * (v + 54.4)
  let stim = if t % 20 < 2 then p.stim else 0
  let dy = replicate states 0
  let dy[0] = stim - ina - ik - il
  let dy[1] = am * (1 - m) - bm * m
  let dy[2] = ah * (1 - h) - bh * h
  let dy[3] = an * (1 - n) - bn * n
  in dy
def step (p: params) (h: f32) (t: f32) (y: [states]f32) : ([states]f32, [states]f32) =
  let f = derivatives p
  let axpy (cs: [](f32, [states]f32)) = map2 (\yi i -> yi + h * f32.sum (map (\(c, k) -> c * k[i]) cs)) y (iota states)
  let k1 = f t y
  let k2 = f (t + h / 4) (axpy [(1 / 4, k1)])
  let k3 = f (t + 3 / 8 * h) (axpy [(3 / 32, k1), (9 / 32, k2)])
  let k4 = f (t + 12 / 13 * h) (axpy [(1932 / 2197, k1), (-7200 / 2197, k2), (7296 / 2197, k3)])
  let k5 = f (t + h) (axpy [(439 / 216, k1), (-8, k2), (3680 / 513, k3), (-845 / 4104, k4)])
  let k6 = f (t + h / 2) (axpy [(-8 / 27, k1), (2, k2), (-3544 / 2565, k3), (1859 / 4104, k4), (-11 / 40, k5)])
  let y' = axpy [(25 / 216, k1), (1408 / 2565, k3), (2197 / 4104, k4), (-1 / 5, k5)]
  let err = map (\i -> f32.abs (k1[i] / 360 - 128 / 4275 * k3[i] - 2197 / 75240 * k4[i] + k5[i] / 50 + 2 / 55 * k6[i])) (iota states)
  in (y', err)
def solve (tmax: f32) (p: params) (y0: [states]f32) : ([states]f32, i32) =
  let (y, _, _, count) =
    loop (y, t, h, count) = (y0, 0, 0.05, 0) while t < tmax && count < 100000 do
      let (y', err) = step p h t y
      let e = f32.maximum err
      let delta = if e == 0 then 4 else f32.max 0.1 (f32.min 4 (0.84 * (0.001 / e) ** 0.25))
      in if e <= 0.001 then (y', t + h, f32.min 0.2 (h * delta), count + 1) else (y, t, h * delta, count + 1)
  in (y, count)
entry main [n] (tmax: f32) (gnas: [n]f32) (gks: [n]f32) : ([n][states]f32, [n]i32) =
  map2 (\gna gk -> solve tmax {gna, gk, gl = 0.3, stim = 10} ([-65, 0.05, 0.6, 0.32] :> [states]f32)) gnas gks |> unzip

def rnd (i: i64) : u32 =
  let x = u32.i64 i * 2654435761u32
  let x = (x ^ (x >> 15)) * 2246822519u32
  in (x ^ (x >> 13)) >> 4
def rndf (i: i64) : f32 = f32.u32 (rnd i) / 268435456f32
entry mk (n: i64) = (50f32, tabulate n (\i -> 110 + 20 * rndf i), tabulate n (\i -> 30 + 10 * rndf (i + 99)))
