-- The mean of the largest value on each of many random walks of 64 steps; the numbers come from the index of walk and step alone.
-- ==
-- notest random input { 100000i64 }
-- nobench input { 0i64 } output { 0f32 }
-- nobench input { 1i64 } auto output

-- Between -1 and 1, by mixing a counter.
def draw (counter: u32): f32 =
  let x = (counter ^ (counter >> 16)) * 0x7feb352d
  let x = (x ^ (x >> 15)) * 0x846ca68b
  in f32.u32 ((x ^ (x >> 16)) >> 8) / 8388608 - 1

def highest (walk: i64): f32 =
  let (_, high) = loop (at, high) = (0, 0) for step < 64i64 do
    let at = at + draw (u32.i64 (walk * 64 + step))
    in (at, f32.max high at)
  in high

entry main (walks: i64): f32 = f32.sum (tabulate walks highest) / f32.i64 (i64.max walks 1)
