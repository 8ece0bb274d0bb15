-- | Doc of main.
entry main [n] (xs: [n]i32) (k: i64) : ([n]i32, i32) = (map (+1) xs, xs[k])
type r [n] = {a: i32, b: [n]f32}
type s [n] = #none | #some ([n]i32) bool | #one i32
entry mk (n: i64) : r[n] = {a = 3, b = replicate n 2}
entry unr [n] (x: r[n]) : [n]f32 = map (+ f32.i32 x.a) x.b
entry mks [n] (xs: [n]i32) : s[n] = #some xs true
entry uns [n] (x: s[n]) : i32 = match x case #none -> 0 case #some ys b -> i32.sum ys + i32.bool b case #one y -> y
type pt = {x: f32, y: f32}
entry pts (n: i64) : [n]pt = tabulate n (\i -> {x = f32.i64 i, y = 1})
entry sumpts [n] (ps: [n]pt) : f32 = f32.sum (map (\(p: pt) -> p.x * p.y) ps)
entry upd [n] (xs: *[n]i64) : *[n]i64 = xs with [0] = 7
entry ident [n] (xs: [n]f64) : [n]f64 = xs
entry mat [n][m] (x: [n][m]f64) : [m][n]f64 = transpose x
entry bad (x: i32) : i32 = assert (x > 0) x
entry add [n] (xs: *[n]i64) (ys: [n]i64) : *[n]i64 = map2 (+) xs ys
entry twins [n] (xs: [n]i64) : ([n]i64, [n]i64) = (map (+ 1) xs, map (+ 2) xs)
entry part [n] (xs: [n]i32) (k: i64) : []i32 = xs[: n / k]
entry positive [n] (xs: [n]i32) : []i32 = filter (> 0) xs
entry first [n] (xs: *[n]f64) : *[n]f64 = xs with [0] = 9
entry sized (n: i64) (xs: [n]i64) : i64 = i64.sum xs
