-- Calibration of local volatilities, as FinPar's LocVolCalib: for each of many strikes an option's price by finite differences in the
-- asset's price and the logarithm of its volatility, backwards in time, each step an implicit one in each direction (Crank-Nicolson
-- with alternating directions), that is, a tridiagonal system for each row and then for each column.
--
--   echo 16i64 256i64 32i64 256i64 | fun run -e bench bench/memory/locvolcalib.fut
-- ==
-- input { 1.0 6i64 4i64 27i64 9i64 3.0 5.0 0.5 0.6 0.5 }
-- output @ data/locvolcalib.out

-- x[i - 1], x[i], x[i + 1] for second derivatives on a grid whose steps are not equal; none at the ends.
def second [n] (x: [n]f64): [n][3]f64 =
  tabulate n (\i ->
    if i == 0 || i == n - 1 then [0, 0, 0]
    else let (l, u) = (x[i] - x[i - 1], x[i + 1] - x[i])
         in [2 / l / (l + u), -2 * (1 / l + 1 / u) / (l + u), 2 / u / (l + u)])

-- A tridiagonal system: below, on and above the diagonal, and the right side. Forwards, then backwards.
def tridag [n] (a: [n]f64) (b: [n]f64) (c: [n]f64) (y: [n]f64): *[n]f64 =
  let (u, y) =
    loop (u, y) = (copy b, copy y) for i < n - 1 do
      let beta = a[i + 1] / u[i]
      let u[i + 1] = u[i + 1] - beta * c[i]
      let y[i + 1] = y[i + 1] - beta * y[i]
      in (u, y)
  let y[n - 1] = y[n - 1] / u[n - 1]
  in loop y for k < n - 1 do
       let i = n - 2 - k
       in y with [i] = (y[i] - c[i] * y[i + 1]) / u[i]

-- One line of the grid: how much the operator with this variance adds to what stands in it.
def applied [n] (variance: i64 -> f64) (d: [n][3]f64) (row: [n]f64): *[n]f64 =
  tabulate n (\i ->
    let low = if i > 0 then d[i, 0] * row[i - 1] else 0
    let high = if i < n - 1 then d[i, 2] * row[i + 1] else 0
    in 0.5 * variance i * (low + d[i, 1] * row[i] + high))

-- One line of the grid: half an implicit step of length 1 / inverse.
def implicit [n] (variance: i64 -> f64) (inverse: f64) (d: [n][3]f64) (row: [n]f64): *[n]f64 =
  let part k i = -0.25 * variance i * d[i, k]
  in tridag (tabulate n (part 0)) (tabulate n (\i -> inverse + part 1 i)) (tabulate n (part 2)) row

-- The price for one strike.
def price [m] [n] (steps: i64) (strike: f64) (t: f64) (nu: f64) (beta: f64) (xs: [m]f64) (ys: [n]f64) (at: (i64, i64)): f64 =
  let (dx, dy) = (second xs, second ys)
  let time i = t * f64.i64 i / f64.i64 (steps - 1)
  let values = map (\x -> replicate n (f64.max (x - strike) 0)) xs
  let values =
    loop values for k < steps - 1 do
      let g = steps - 2 - k
      let inverse = 1 / (time (g + 1) - time g)
      let along_x j i = f64.exp (2 * (beta * f64.log xs[i] + ys[j] - 0.5 * nu * nu * time g))
      let along_y _ = nu * nu
      -- [m][n]: what the second direction adds
      let v = map (applied along_y dy) values
      -- [n][m]: the first direction
      let explicit = map3 (\j row add -> map3 (\x y z -> inverse * x + 0.5 * y + z) row (applied (along_x j) dx row) add)
                          (iota n) (transpose values) (transpose v)
      let u = map2 (\j row -> implicit (along_x j) inverse dx row) (iota n) explicit
      in map2 (\row add -> implicit along_y inverse dy (map2 (\x y -> inverse * x - 0.5 * y) row add)) (transpose u) v
  in values[at.0, at.1]

-- Options whose strikes are 0, apart, 2 * apart, …
def prices (apart: f64) (outer: i64) (steps: i64) (m: i64) (n: i64) (s0: f64) (t: f64) (alpha: f64) (nu: f64) (beta: f64): [outer]f64 =
  let dx = 20 * alpha * s0 * f64.sqrt t / f64.i64 m
  let x = i64.f64 (s0 / dx) % m
  let dy = 10 * nu * f64.sqrt t / f64.i64 n
  let y = n / 2
  let xs = tabulate m (\i -> f64.i64 (i - x) * dx + s0)
  let ys = tabulate n (\i -> f64.i64 (i - y) * dy + f64.log alpha)
  in tabulate outer (\i -> price steps (apart * f64.i64 i) t nu beta xs ys (x, y))

entry main = prices

entry bench (outer: i64) (steps: i64) (m: i64) (n: i64): f64 = f64.sum (prices 0.001 outer steps m n 0.03 5.0 0.2 0.6 0.5)
