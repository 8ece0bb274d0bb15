-- The kernels of the other examples, as one program.
module pricing = import "../options"
module images = import "../blur"

type market = pricing.market

-- | Prices of call options with these strikes and times to run, in years, on a share that costs `spot`.
entry calls [n] (m: market) (spot: f64) (strikes: [n]f64) (years: [n]f64) : [n]f64 =
  pricing.calls m spot strikes years

-- | The prices, and their sum.
entry portfolio [n] (m: market) (spot: f64) (strikes: [n]f64) (years: [n]f64) : ([n]f64, f64) =
  pricing.portfolio m spot strikes years

-- | Each pixel becomes the mean of itself and its eight neighbours.
entry blur [h][w] (image: [h][w]f32) : [h][w]f32 = images.blur image

-- | `blur`, so many times, on the memory of the image.
entry blurs [h][w] (times: i64) (image: *[h][w]f32) : *[h][w]f32 = images.blurs times image
