-- case: run main ( [1i64, 2i64, 0i64, 3i64] [1i64, 2i64, 3i64, 4i64] )
-- The second loop takes long, with nothing behind it that could fail: what is written then is written once.
entry main [n] [m] (a: *[n]i64) (b: [m]i64): *[n]i64 =
  map (\x ->
    let u = loop u = x while u > 3 do u - 2
    let v = b[u]
    let w = loop w = v while w < 50 do w + 3
    in x * 2 + w) a
-- ---
-- [52i64, 55i64, 52i64, 58i64]
