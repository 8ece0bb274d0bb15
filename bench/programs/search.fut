-- Where each of many keys is in a sorted array: how many elements are less, by halving.
-- ==
-- entry: main
-- notest script input { data 1000000i64 }
-- nobench input { [1u32, 3u32, 3u32, 7u32] [0u32, 3u32, 4u32, 9u32] } output { [0i64, 1i64, 3i64, 4i64] }

-- Every 4000th number, and as many keys that look random.
entry data (n: i64): ([n]u32, [n]u32) =
  (tabulate n (\k -> u32.i64 (4000 * k)), tabulate n (\k -> (u32.i64 k * 2654435761 + 12345) ^ 0x5bd1e995))

entry main [n][m] (sorted: [n]u32) (keys: [m]u32): [m]i64 =
  let place key =
    let (low, _) = loop (low, high) = (0, n) while low < high do
      let middle = (low + high) / 2
      in if sorted[middle] < key then (middle + 1, high) else (low, middle)
    in low
  in map place keys
