-- How often each of 1024 values occurs.
-- ==
-- notest script input { bins 10000000i64 }
-- nobench input { [3i32, 1i32, 3i32] } auto output

-- Numbers that follow no order (a mixing function of 32 bits).
def mixed (x: u32): u32 =
  let x = (x ^ (x >> 16)) * 0x7feb352d
  let x = (x ^ (x >> 15)) * 0x846ca68b
  in x ^ (x >> 16)

-- Values from 0 to 1023, as random as those of the C reference: how far apart equal values are decides how long this takes.
entry bins (n: i64): [n]i32 =
  tabulate n (\i -> i32.u32 (mixed (u32.i64 i) >> 22))

entry main [n] (values: [n]i32): [1024]i32 =
  reduce_by_index (replicate 1024 0) (+) 0 (map i64.i32 values) (map (const 1) values)
