-- The price of an option by Monte Carlo, as FinPar's OptionPricing: Sobol numbers become normal ones, these the steps of Brownian
-- motions by bridges, these correlated Black-Scholes paths, and each path a payoff.
--
--   echo 1048576i64 16i64 | fun run -e bench bench/memory/option_pricing.fut
-- ==
-- input { 16i64 3i64 } output { 4.800841065f64 }
-- input { 20i64 1i64 } output { 4.358332536f64 }

def bits: i64 = 30

-- Direction numbers of a dimension, by its primitive polynomial (degree, inner coefficients) and first numbers.
def direction (degree: i64) (inner: u32) (first: [5]u32): *[bits]u32 =
  loop v = replicate bits 0 for i < bits do
    v with [i] =
      if degree == 0 then 1 << u32.i64 (bits - 1 - i)
      else if i < degree then first[i] << u32.i64 (bits - 1 - i)
      else loop x = v[i - degree] ^ (v[i - degree] >> u32.i64 degree) for k < degree - 1 do
             if (inner >> u32.i64 (degree - 2 - k)) & 1 == 1 then x ^ v[i - k - 1] else x

-- The first dimensions of Joe and Kuo's table; further ones are shifted copies, which is good enough to measure with.
def table: [16](i64, u32, [5]u32) =
  [ (0, 0, [0, 0, 0, 0, 0]), (1, 0, [1, 0, 0, 0, 0]), (2, 1, [1, 3, 0, 0, 0]), (3, 1, [1, 3, 1, 0, 0])
  , (3, 2, [1, 1, 1, 0, 0]), (4, 1, [1, 1, 3, 3, 0]), (4, 4, [1, 3, 5, 13, 0]), (5, 2, [1, 1, 5, 5, 17])
  , (5, 4, [1, 1, 5, 5, 5]), (5, 7, [1, 1, 7, 11, 19]), (5, 11, [1, 1, 5, 1, 1]), (5, 13, [1, 1, 1, 3, 11])
  , (5, 14, [1, 3, 5, 5, 31]), (3, 1, [1, 1, 7, 0, 0]), (4, 1, [1, 3, 7, 11, 0]), (4, 4, [1, 1, 3, 7, 0]) ]

-- Number i of a dimension, never 0.
def sobol (directions: [bits]u32) (shift: u32) (i: u32): f64 =
  let gray = i ^ (i >> 1)
  let x = loop x = shift for k < bits do if (gray >> u32.i64 k) & 1 == 1 then x ^ directions[k] else x
  in (f64.u32 x + 0.5) / f64.u32 (1 << u32.i64 bits)

-- The inverse of the normal distribution, by Acklam's rational approximation.
def quantile (p: f64): f64 =
  let tail q =
    (((((-7.784894002430293e-3 * q - 3.223964580411365e-1) * q - 2.400758277161838) * q - 2.549732539343734) * q
      + 4.374664141464968) * q + 2.938163982698783)
    / ((((7.784695709041462e-3 * q + 3.224671290700398e-1) * q + 2.445134137142996) * q + 3.754408661907416) * q + 1)
  in if p < 0.02425 then tail (f64.sqrt (-2 * f64.log p))
     else if p > 1 - 0.02425 then -(tail (f64.sqrt (-2 * f64.log (1 - p))))
     else let q = p - 0.5
          let r = q * q
          in (((((-3.969683028665376e1 * r + 2.209460984245205e2) * r - 2.759285104469687e2) * r + 1.383577518672690e2) * r
               - 3.066479806614716e1) * r + 2.506628277459239) * q
             / (((((-5.447609879822406e1 * r + 1.615858368580409e2) * r - 1.556989798598866e2) * r + 6.680131188771972e1) * r
                 - 1.328068155288572e1) * r + 1)

-- One date of a bridge: its place, the places before and after it that are known (-1: the start), their weights and what is random.
type link = {at: i64, before: i64, after: i64, lower: f64, upper: f64, deviation: f64}

-- A bridge over dates 1, 2, …: the last date first, then always the middle of what is open.
def bridge (n: i64): [n]link =
  let time i = f64.i64 (i + 1)
  let last = {at = n - 1, before = -1, after = n - 1, lower = 0, upper = 0, deviation = f64.sqrt (time (n - 1))}
  let links = replicate n last
  let known = replicate n false with [n - 1] = true
  let (links, _, _) =
    loop (links, known, from) = (links, known, 0) for i in 1..<n do
      let from = loop j = from while known[j] do j + 1
      let after = loop k = from while !known[k] do k + 1
      let at = from + (after - 1 - from) / 2
      let start = if from == 0 then 0 else time (from - 1)
      let (below, above) = (time at - start, time after - time at)
      let links[i] = { at, before = from - 1, after, lower = above / (below + above), upper = below / (below + above)
                     , deviation = f64.sqrt (below * above / (below + above)) }
      let known[at] = true
      in (links, known, if after + 1 >= n then 0 else after + 1)
  in links

-- The steps of a Brownian motion from normal numbers.
def motion [n] (links: [n]link) (z: [n]f64): *[n]f64 =
  let places =
    loop places = replicate n 0 for i < n do
      let l = links[i]
      let low = if l.before >= 0 then l.lower * places[l.before] else 0
      let places[l.at] = low + l.upper * places[l.after] + l.deviation * z[i]
      in places
  -- from places to steps, backwards
  in loop places for k < n - 1 do
       let i = n - 1 - k
       in places with [i] = places[i] - places[i - 1]

-- Each asset's motion is a mixture of those of the assets before it.
def mixture: [3][3]f64 = [[1, 0, 0], [0.5, 0.8660254, 0], [0.25, 0.4330127, 0.8660254]]
def volatility: [3]f64 = [0.2, 0.25, 0.3]
def drift: [3]f64 = [0.01, 0.015, 0.02]

-- The prices of the three assets at each date.
def paths [n] (motions: [n][3]f64): *[n][3]f64 =
  loop prices = replicate n (replicate 3 0) for i < n do
    loop prices for a < 3 do
      let step = f64.sum (map2 (*) mixture[a] motions[i])
      let before = if i == 0 then 100 else prices[i - 1, a]
      in prices with [i, a] = before * f64.exp (drift[a] + volatility[a] * step)

-- How much the mean over all dates of the worst asset is above the strike, today.
def payoff [n] (prices: [n][3]f64): f64 =
  let mean = f64.sum (map f64.minimum prices) / f64.i64 n
  in f64.exp (-0.02 * f64.i64 n) * f64.max 0 (mean - 90)

def price (n: i64) (dates: i64): f64 =
  let links = bridge dates
  let directions = map (\d -> let (degree, inner, first) = table[d % 16] in direction degree inner first) (iota (dates * 3))
  let shifts = map (\d -> u32.i64 (d / 16) * 0x1234567) (iota (dates * 3))
  let one i =
    let z = map2 (\v shift -> quantile (sobol v shift (u32.i64 i + 1))) directions shifts
    let motions = transpose (map (motion links) (transpose (unflatten z)))
    in payoff (paths motions)
  in f64.sum (map one (iota n)) / f64.i64 n

entry main = price
entry bench = price
