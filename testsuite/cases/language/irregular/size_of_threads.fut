-- case: run ( [[1i64, 2i64], [0i64, 3i64]] )
-- A row has an array whose size comes from memory: a block that does all of a row has no such array, as each thread has that size for itself.
entry main [n] [m] (kss: [n][m]i64): [n]i64 =
  map (\ks ->
         let (_, _, _, r, c) = flatmap (\k -> (replicate k (k + 1), k * 2)) ks
         in loop s = i64.sum c for x in r do s * 3 + x)
      kss
-- ---
[192i64, 214i64]
