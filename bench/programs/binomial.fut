-- Prices of American options by binomial trees of 256 steps: each step back halves what may come, and an option may be exercised at any.
-- ==
-- notest random input { [1024]f32 [1024]f32 }
-- nobench input { [0.5f32, 0.25f32] [0.5f32, 1f32] } output { [5.50284f32, 15.77692f32] }

def steps: i64 = 256

entry main [n] (prices: [n]f32) (strikes: [n]f32): [n]f32 =
  let time = 1 / f32.i64 steps
  let up = f32.exp (0.3 * f32.sqrt time)
  let p = (f32.exp (0.02 * time) - 1 / up) / (up - 1 / up)
  let less = f32.exp (-0.02 * time)
  let powers = map (\k -> up ** f32.i64 (k - steps)) (iota (2 * steps + 1))
  let price s x =
    let (price, strike) = (s * 20 + 40, x * 20 + 40)
    let worth step j = f32.max 0 (strike - price * powers[2 * j - step + steps])
    let values = loop values = tabulate (steps + 1) (worth steps) for back < steps do
      let step = steps - 1 - back
      in tabulate (steps + 1) (\j ->
           if j > step then 0
           else f32.max (worth step j) (less * (p * values[j + 1] + (1 - p) * values[j])))
    in values[0]
  in map2 price prices strikes
