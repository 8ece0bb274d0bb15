-- What a knapsack of 8191 units can hold at most in value: for each thing, a map over the room there is.
-- ==
-- notest script input { things 1000i64 }
-- nobench input { [3i32, 4i32, 5i32, 9i32] [3i32, 4i32, 4i32, 10i32] } output { 21i32 }
-- nobench input { [8000i32, 4000i32, 4191i32] [10i32, 6i32, 5i32] } output { 11i32 }
-- nobench input { empty([0]i32) empty([0]i32) } output { 0i32 }

def room: i64 = 8192

-- Weights from 1 to 256 and values up to 1023 that look random.
entry things (n: i64): ([n]i32, [n]i32) =
  let mixed k = let x = (u32.i64 k * 2654435761) ^ 0x5bd1e995 in x ^ (x >> 15)
  in (tabulate n (\k -> i32.u32 (mixed k & 255) + 1), tabulate n (\k -> i32.u32 ((mixed k >> 12) & 1023)))

entry main [n] (weights: [n]i32) (values: [n]i32): i32 =
  let best = loop best = replicate room 0i32 for k < n do
    let (weight, value) = (i64.i32 weights[k], values[k])
    in tabulate room (\r -> if r < weight then best[r] else i32.max best[r] (best[r - weight] + value))
  in best[room - 1]
