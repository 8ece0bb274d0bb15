-- What device.c and device.py call, on a device.

type~ point = {x: f32, ys: []f32}

entry twice [n] (xs: [n]f32) : [n]f32 = map (* 2) xs
entry add [n] (xs: [n]f32) (ys: [n]f32) : [n]f32 = map2 (+) xs ys
entry total [n] (xs: [n]f32) : f32 = f32.sum xs
entry same (xs: []f32) : []f32 = xs
entry both [n] (xs: [n]f32) : ([n]f32, [n]f32) = (xs, map (+ 1) xs)
entry first_is [n] (xs: *[n]f32) (x: f32) : *[n]f32 = xs with [0] = x
entry first (xs: []f32) : f32 = xs[0]
entry gather [n] (xs: []f32) (is: [n]i64) : [n]f32 = map (\i -> xs[i]) is
entry turned [n] [m] (xs: [n][m]f32) : [m][n]f32 = transpose xs
entry point (x: f32) (ys: []f32) : point = {x, ys}
entry moved (p: point) : []f32 = map (+ p.x) p.ys
entry pairs [n] (xs: [n]f32) : [n](f32, bool) = map (\x -> (x, x > 1)) xs
entry flags [n] (bs: [n]bool) (hs: [n]f16) (is: [n]u8) : ([n]bool, [n]f16, [n]u8) = (map not bs, map (* 2) hs, map (+ 1) is)
