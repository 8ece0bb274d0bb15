-- Prices of options by the formula of Black and Scholes, with a polynomial for the normal distribution.
-- ==
-- notest random input { [1000000]f32 [1000000]f32 [1000000]f32 }
-- nobench input { [0.5f32, 0.25f32] [0.5f32, 0.75f32] [0.5f32, 1f32] } output { [4.99963f32, 0.001497f32] }

def distribution (d: f32): f32 =
  let k = 1 / (1 + 0.2316419 * f32.abs d)
  let tail = k * (0.31938153 + k * (-0.356563782 + k * (1.781477937 + k * (-1.821255978 + k * 1.330274429))))
  let w = 1 - 0.39894228 * f32.exp (-0.5 * d * d) * tail
  in if d < 0 then 1 - w else w

entry main [n] (prices: [n]f32) (strikes: [n]f32) (years: [n]f32): [n]f32 =
  map3 (\p s y ->
    let (price, strike, time) = (p * 100 + 1, s * 100 + 1, y + 0.1)
    let spread = 0.3 * f32.sqrt time
    let d = (f32.log (price / strike) + 0.065 * time) / spread
    in price * distribution d - strike * f32.exp (-0.02 * time) * distribution (d - spread))
  prices strikes years
