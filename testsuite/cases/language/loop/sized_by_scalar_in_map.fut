-- case: run main ( empty([0]i64) )
-- In a map, a loop's array has as many elements as the loop's scalar says, which a block of threads does not know.
entry main [n] (xs: *[n]i64): [n]i64 =
  map (\_ ->
    let (k, ys) =
      loop (k: i64, ys: []u64) = (3, replicate 3 0) for _i < 2i64 do
        let ys = ys :> [k]u64
        let hashes: [n]u32 = map (\i -> u32.i64 i * 1825915574) (iota n)
        let _: [n]u32 = map (\_ -> hashes[0]) xs
        in (0, copy ys :> [0]u64)
    let _ = ys :> [k]u64
    in 0) (iota n)
-- ---
-- empty([0]i64)
