-- case: run main ( [2i32, 3i32, 5i32, 7i32, 11i32] [1i32, 2i32, 6i32, 7i32, 12i32, 3i32, 11i32] )
-- Searches by halving end after different numbers of steps; what the last steps read is used behind them.
entry main [n] [m] (sorted: [n]i32) (keys: [m]i32): ([m]i64, [m]i32) =
  let place key =
    let (low, _) = loop (low, high) = (0, n) while low < high do
      let middle = (low + high) / 2
      in if sorted[middle] < key then (middle + 1, high) else (low, middle)
    in (low, if low < n then sorted[low] - key else -1)
  in unzip (map place keys)
-- ---
-- [0i64, 0i64, 3i64, 3i64, 5i64, 1i64, 4i64]
-- [1i32, 0i32, 1i32, 0i32, -1i32, 0i32, 0i32]
