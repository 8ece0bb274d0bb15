-- How often each of 1024 values occurs.
-- ==
-- notest script input { bins 10000000i64 }
-- nobench input { [3i32, 1i32, 3i32] } auto output

-- Values from 0 to 1023.
entry bins (n: i64): [n]i32 =
  tabulate n (\i -> i32.u32 ((u32.i64 i * 2654435761 + 12345) >> 22))

entry main [n] (values: [n]i32): [1024]i32 =
  reduce_by_index (replicate 1024 0) (+) 0 (map i64.i32 values) (map (const 1) values)
