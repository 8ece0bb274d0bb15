-- case: run ([1f32, 2f32, 3f32])
-- Blocks of f64 in which arrays of f32 lie later, which take turns: their places are counted in elements of f32.
entry main [n] (xs: [n]f32): [n]f32 =
  map (\x ->
    let m = 50i64
    let a = scan (+) 0 (map (\i -> f64.i64 i * f64.f32 x) (iota m))
    let b = scan f64.max (-1000) (map (\i -> a[m - 1 - i] - f64.i64 (i %% 3)) (iota m))
    let s = loop acc = 0f64 for i < m do acc + a[i] * b[(i * 7) %% m]
    let first = map (\i -> f32.f64 s + f32.i64 i) (iota 100)
    let last = loop ys = first for _t < 5i64 do
      map (\i -> ys[i] * 0.5 + ys[(i + 1) %% 100] * 0.25 + ys[(i * i) %% 100] * 0.125) (iota 100)
    in loop acc = 0f32 for i < 100i64 do acc + last[i] * f32.i64 i) xs
-- ---
-- [64769024000.0f32, 259075770000.0f32, 582920300000.0f32]
