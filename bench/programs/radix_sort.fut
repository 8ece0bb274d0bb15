-- Sorting by 32 bits, from the lowest to the highest, one after the other.
-- ==
-- notest random input { [1000000]u32 }
-- nobench input { [5u32, 4294967295u32, 0u32, 7u32, 5u32] } output { [0u32, 5u32, 5u32, 7u32, 4294967295u32] }

def step [n] (xs: [n]u32) (bit: u32): [n]u32 =
  let ones = map (\x -> i64.u32 ((x >> bit) & 1)) xs
  let before = scan (+) 0 ones
  let zeros = if n == 0 then 0 else n - before[n - 1]
  let place i one sum = if one == 0 then i - sum else zeros + sum - 1
  in scatter (replicate n 0) (map3 place (iota n) ones before) xs

entry main [n] (xs: [n]u32): [n]u32 = loop xs for bit < 32 do step xs (u32.i32 bit)
