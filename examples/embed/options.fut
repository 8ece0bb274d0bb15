-- European options by the formula of Black and Scholes (1973).

-- The distribution function of the normal distribution, by Abramowitz and Stegun's 26.2.17: within 7.5e-8.
def normal (x: f64) : f64 =
  let k = 1 / (1 + 0.2316419 * f64.abs x)
  let tail =
    k * (0.319381530 + k * (-0.356563782 + k * (1.781477937 + k * (-1.821255978 + k * 1.330274429))))
  let upper = 1 - tail * f64.exp (-0.5 * x * x) / f64.sqrt (2 * f64.pi)
  in if x < 0 then 1 - upper else upper

-- A market: the rate of interest, and how much prices change in a year.
type market = {rate: f64, volatility: f64}

def call_price (m: market) (spot: f64) (strike: f64) (years: f64) : f64 =
  let spread = m.volatility * f64.sqrt years
  let d1 = (f64.log (spot / strike) + (m.rate + 0.5 * m.volatility * m.volatility) * years) / spread
  in spot * normal d1 - strike * f64.exp (-m.rate * years) * normal (d1 - spread)

-- | Prices of call options with these strikes and times to run, in years, on a share that costs `spot`.
entry calls [n] (m: market) (spot: f64) (strikes: [n]f64) (years: [n]f64) : [n]f64 =
  map2 (\strike time -> assert (strike > 0 && time > 0) (call_price m spot strike time)) strikes years

-- | The prices, and their sum.
entry portfolio [n] (m: market) (spot: f64) (strikes: [n]f64) (years: [n]f64) : ([n]f64, f64) =
  let prices = calls m spot strikes years in (prices, f64.sum prices)
