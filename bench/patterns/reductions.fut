-- Reductions of a line or two. Small data with what Futhark says of them, and those that are timed (bench/patterns.sh).

-- ==
-- entry: variance
-- notest random input { [3000000]f32 }
-- input { [0.1217739f32, 0.50462496f32, 0.65307474f32, 0.15008843f32, 0.70805633f32, 0.7436638f32, 6.24004e-2f32] }
-- output { 0.076984f32 }
entry variance [n] (xs: [n]f32) = let mean = f32.sum xs / f32.i64 n in f32.sum (map (\x -> (x - mean) * (x - mean)) xs) / f32.i64 n

-- The greatest with the first of its places.
-- ==
-- entry: argmax
-- notest random input { [3000000]f32 }
-- input { [0.1217739f32, 0.50462496f32, 0.65307474f32, 0.15008843f32, 0.70805633f32, 0.7436638f32, 6.24004e-2f32] }
-- output { 0.743664f32 5i64 }
entry argmax [n] (xs: [n]f32) = reduce (\(a, i) (b, j) -> if a > b || (a == b && i < j) then (a, i) else (b, j)) (-f32.inf, -1) (zip xs (iota n))

-- ==
-- entry: argmin
-- notest random input { [3000000]i32 }
-- input { [-6i32, -9i32, -7i32, 9i32, -2i32, -6i32, 5i32] }
-- output { -9i32 1i64 }
entry argmin [n] (xs: [n]i32) = reduce (\(a, i) (b, j) -> if a < b then (a, i) else if b < a then (b, j) else (a, i64.min i j)) (i32.highest, i64.highest) (zip xs (iota n))

-- ==
-- entry: minmax
-- notest random input { [3000000]f32 }
-- input { [0.1217739f32, 0.50462496f32, 0.65307474f32, 0.15008843f32, 0.70805633f32, 0.7436638f32, 6.24004e-2f32] }
-- output { 0.062400f32 0.743664f32 }
entry minmax [n] (xs: [n]f32) = (f32.minimum xs, f32.maximum xs)

-- ==
-- entry: count_if
-- notest random input { [3000000]i32 }
-- input { [-6i32, -9i32, -7i32, 9i32, -2i32, -6i32, 5i32] }
-- output { 1i64 }
entry count_if [n] (xs: [n]i32) = i64.sum (map (\x -> i64.bool (x % 7 == 0)) xs)

-- ==
-- entry: any_is
-- notest random input { [3000000]i32 }
-- input { [-6i32, -9i32, -7i32, 9i32, -2i32, -6i32, 5i32] }
-- output { false }
entry any_is [n] (xs: [n]i32) = any (== 12345) xs

-- Of neighbouring elements.
-- ==
-- entry: greatest_sum
-- notest random input { [2000000]i32 }
-- input { [-6i32, -9i32, -7i32, 9i32, -2i32, -6i32, 5i32, 9i32, -3i32] }
-- output { 15i32 }
entry greatest_sum [n] (xs: [n]i32) =
  let m = i32.max
  let join (sum, start, end, all) (sum', start', end', all') = (m sum (m sum' (end + start')), m start (all + start'), m end' (end + all'), all + all')
  in (reduce join (0, 0, 0, 0) (map (\x -> (m x 0, m x 0, m x 0, x)) xs)).0

-- ==
-- entry: norms
-- notest random input { [3000000]f64 }
-- input { [0.287063600058149f64, 0.6297556356304849f64, 0.19569432541101117f64, 0.7292804033844937f64, 0.4853287170892713f64, 0.42413523717403034f64, 0.4982015204295517f64] }
-- output { 3.249459439176992f64 1.308733458290086f64 0.729280403384494f64 }
entry norms [n] (xs: [n]f64) = (f64.sum (map f64.abs xs), f64.sqrt (f64.sum (map (\x -> x * x) xs)), f64.maximum (map f64.abs xs))

-- ==
-- entry: changes
-- notest random input { [3000000]u8 }
-- input { [122u8, 95u8, 84u8, 120u8, 80u8, 78u8, 126u8, 70u8, 64u8] }
-- output { 8i64 }
entry changes [n] (xs: [n]u8) = i64.sum (map2 (\x y -> i64.bool (x != y)) (take (n - 1) xs :> [n - 1]u8) (drop 1 xs :> [n - 1]u8))

-- ==
-- entry: parity
-- notest random input { [3000000]u64 }
-- input { [13151355310559161539u64, 6829803034257712736u64, 14836820936175392610u64, 4993895114504130002u64, 9494009437941977531u64, 10622829900918112167u64, 9256548129212630723u64] }
-- output { 15927302866487121460u64 }
entry parity [n] (xs: [n]u64) = reduce (^) 0 (map (\x -> x * 0x9e3779b97f4a7c15) xs)

-- ==
-- entry: log_sum_exp
-- notest random input { [3000000]f64 }
-- input { [0.287063600058149f64, 0.6297556356304849f64, 0.19569432541101117f64, 0.7292804033844937f64, 0.4853287170892713f64, 0.42413523717403034f64, 0.4982015204295517f64] }
-- output { 2.424638091849852f64 }
entry log_sum_exp [n] (xs: [n]f64) = let m = f64.maximum xs in m + f64.log (f64.sum (map (\x -> f64.exp (x - m)) xs))

-- ==
-- entry: line_fit
-- notest random input { [2000000]f32 [2000000]f32 }
-- input { [0.1217739f32, 0.50462496f32, 0.65307474f32, 0.15008843f32, 0.70805633f32] [0.105980694f32, 0.55350757f32, 0.8337141f32, 0.9955425f32, 0.98298174f32] }
-- output { 0.646723f32 0.417856f32 }
entry line_fit [n] (xs: [n]f32) (ys: [n]f32) =
  let (sx, sy, sxx, sxy) = (f32.sum xs, f32.sum ys, f32.sum (map2 (*) xs xs), f32.sum (map2 (*) xs ys))
  let k = f32.i64 n
  let slope = (k * sxy - sx * sy) / (k * sxx - sx * sx)
  in (slope, (sy - slope * sx) / k)
