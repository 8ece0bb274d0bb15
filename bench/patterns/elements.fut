-- Maps of single elements. Small data with what Futhark says of them, and those that are timed (bench/patterns.sh).

-- ==
-- entry: polynomial
-- notest random input { [1000000]f64 [10]f64 }
-- input { [0.287063600058149f64, 0.6297556356304849f64, 0.19569432541101117f64, 0.7292804033844937f64, 0.4853287170892713f64] [0.2142204016228162f64, 0.3465684132076585f64, 0.34825927061813744f64, 0.9048227972806298f64, 0.10369572508683933f64, 0.9880085254567541f64, 0.16704257823969448f64, 0.2030464532481432f64, 0.23985270330346087f64, 0.9573572073675695f64] }
-- output { [1.054386297334079f64, 1.478355672726840f64, 1.014857081571297f64, 1.820482660415434f64, 1.213714494423743f64] }
entry polynomial [n] (xs: [n]f64) (c: [10]f64) = map (\x -> foldl (\a k -> a * x + k) 0 c) xs

-- ==
-- entry: complex_products
-- notest random input { [1000000]f32 [1000000]f32 [1000000]f32 [1000000]f32 }
-- input { [0.1217739f32, 0.50462496f32, 0.65307474f32] [0.105980694f32, 0.55350757f32, 0.8337141f32] [0.7198905f32, 1.96594e-3f32, 0.5819986f32] [0.50536203f32, 0.3709947f32, 0.3730123f32] }
-- output { [0.034105f32, -0.204356f32, 0.069103f32] [0.137834f32, 0.188301f32, 0.728825f32] }
entry complex_products [n] (a: [n]f32) (b: [n]f32) (c: [n]f32) (d: [n]f32) = unzip (map4 (\a b c d -> (a * c - b * d, a * d + b * c)) a b c d)

-- ==
-- entry: upper_case
-- notest random input { [4000000]u8 }
-- input { [122u8, 95u8, 84u8, 120u8, 80u8, 78u8, 126u8, 70u8, 64u8] }
-- output { [90u8, 95u8, 84u8, 88u8, 80u8, 78u8, 126u8, 70u8, 64u8] }
entry upper_case [n] (xs: [n]u8) = map (\x -> if x >= 97 && x <= 122 then x - 32 else x) xs

-- ==
-- entry: grey
-- notest random input { [1000][1000][3]u8 }
-- input { [[[122u8, 95u8, 84u8], [120u8, 80u8, 78u8]], [[126u8, 70u8, 64u8], [130u8, 99u8, 98u8]]] }
-- output { [[101u8, 91u8], [86u8, 108u8]] }
entry grey [n][m] (image: [n][m][3]u8) = map (map (\p -> u8.f32 (0.299 * f32.u8 p[0] + 0.587 * f32.u8 p[1] + 0.114 * f32.u8 p[2]))) image

-- ==
-- entry: sigmoid
-- notest random input { [3000000]f32 }
-- input { [0.1217739f32, 0.50462496f32, 0.65307474f32, 0.15008843f32, 0.70805633f32] }
-- output { [0.530406f32, 0.623546f32, 0.657703f32, 0.537452f32, 0.669972f32] }
entry sigmoid [n] (xs: [n]f32) = map (\x -> 1 / (1 + f32.exp (-x))) xs

-- ==
-- entry: clamped
-- notest random input { [3000000]f32 }
-- input { [0.1217739f32, 0.50462496f32, 0.65307474f32, 0.15008843f32, 0.70805633f32] }
-- output { [0.250000f32, 0.504625f32, 0.653075f32, 0.250000f32, 0.708056f32] }
entry clamped [n] (xs: [n]f32) = map (\x -> f32.max 0.25 (f32.min 0.75 x)) xs

-- ==
-- entry: angles
-- notest random input { [1000000]f32 [1000000]f32 }
-- input { [0.1217739f32, 0.50462496f32, 0.65307474f32, 0.15008843f32] [0.105980694f32, 0.55350757f32, 0.8337141f32, 0.9955425f32] }
-- output { [0.161434f32, 0.749011f32, 1.059049f32, 1.006793f32] [0.716166f32, 0.831562f32, 0.906302f32, 1.421163f32] }
entry angles [n] (xs: [n]f32) (ys: [n]f32) = map2 (\x y -> (f32.sqrt (x * x + y * y), f32.atan2 y x)) xs ys |> unzip

-- ==
-- entry: hashes
-- notest random input { [2000000]u32 }
-- input { [87u32, 49u32, 34u32, 84u32] }
-- output { [2989332482u32, 3974523784u32, 44775438u32, 1163558177u32] }
entry hashes [n] (xs: [n]u32) = map (\x -> let x = (x ^ (x >> 16)) * 0x85ebca6b let x = (x ^ (x >> 13)) * 0xc2b2ae35 in x ^ (x >> 16)) xs

-- ==
-- entry: days
-- notest random input { [2000000]i64 }
-- input { [93379i64, 58976i64, 5986i64, 53691i64] }
-- output { [1015619i64, 162256i64, 13946i64, 145451i64] }
entry days [n] (xs: [n]i64) = map (\x -> let days = x / 86400 let rest = x % 86400 in (days % 7) * 1000000 + (rest / 3600) * 10000 + (rest / 60 % 60) * 100 + rest % 60) xs

-- ==
-- entry: interleaved
-- notest random input { [1000000]f32 [1000000]f32 }
-- input { [0.1217739f32, 0.50462496f32, 0.65307474f32] [0.105980694f32, 0.55350757f32, 0.8337141f32] }
-- output { [0.121774f32, 0.105981f32, 0.504625f32, 0.553508f32, 0.653075f32, 0.833714f32] }
entry interleaved [n] (xs: [n]f32) (ys: [n]f32) = flatten (map2 (\x y -> [x, y]) xs ys)

-- ==
-- entry: piecewise
-- notest random input { [500000]f32 }
-- input { [0.1217739f32, 0.50462496f32, 0.65307474f32, 0.15008843f32, 0.70805633f32] }
-- output { [2.786110f32, 2.500043f32, 2.546864f32, 2.744876f32, 2.586575f32] }
entry piecewise [n] (xs: [n]f32) = map (\x -> loop s = 0 for a < 4i64 do let t = f32.i64 a - x in s + (if t < 1 then t * t + 1 else 0)) xs

-- ==
-- entry: sines_and_cosines
-- notest random input { [300000]f64 }
-- input { [0.287063600058149f64, 0.6297556356304849f64, 0.19569432541101117f64, 0.7292804033844937f64] }
-- output { [0.283137209085394f64, 0.588947287221536f64, 0.194447654527836f64, 0.666333237413114f64] [0.959079413203794f64, 0.808171450172792f64, 0.980912896055824f64, 0.745654086502957f64] }
entry sines_and_cosines [n] (xs: [n]f64) = unzip (map (\x -> (f64.sin x, f64.cos x)) xs)

-- ==
-- entry: weighted_sines
-- notest random input { [300000]f64 }
-- input { [0.287063600058149f64, 0.6297556356304849f64, 0.19569432541101117f64, 0.7292804033844937f64] }
-- output { [0.000000000000000f64, 0.588947287221536f64, 0.388895309055672f64, 0.000000000000000f64] }
entry weighted_sines [n] (xs: [n]f64) = map2 (\i x -> f64.sin x * f64.i64 (i % 3)) (iota n) xs

-- ==
-- entry: sines_below
-- notest random input { [300000]f64 }
-- input { [0.287063600058149f64, 0.6297556356304849f64, 0.19569432541101117f64, 0.7292804033844937f64] }
-- output { [0.283137209085394f64, 1.587917508668012f64, 0.194447654527836f64, 1.371214686914844f64] }
entry sines_below [n] (xs: [n]f64) = map (\x -> if x * x < 0.3 then f64.sin x else 1 / x) xs

-- ==
-- entry: sevenths
-- notest random input { [400000]i64 }
-- input { [93379i64, 58976i64, 5986i64, 53691i64] }
-- output { [31132i64, 19659i64, 1996i64, 17898i64] }
entry sevenths [n] (xs: [n]i64) = map (\x -> x / 3 + x % 7) xs

-- ==
-- entry: rounded
-- notest random input { [1000000]f32 }
-- input { [0.1217739f32, 0.50462496f32, 0.65307474f32, 0.15008843f32] }
-- output { [487u32, 2018u32, 2612u32, 600u32] }
entry rounded [n] (xs: [n]f32) = map (\x -> u32.f32 (x * 4000 + 0.5)) xs

-- ==
-- entry: ramp
-- notest random input { [3000000]f32 }
-- input { [0.1217739f32, 0.50462496f32, 0.65307474f32, 0.15008843f32] }
-- output { [0.060887f32, 0.756937f32, 1.632687f32, 0.525310f32] }
entry ramp [n] (xs: [n]f32) = map2 (\i x -> x * (f32.i64 i + 0.5)) (iota n) xs

-- ==
-- entry: bits_of_each
-- notest random input { [2000000]u32 }
-- input { [87u32, 49u32, 34u32, 84u32] }
-- output { [1u32, 0u32, 0u32, 0u32] }
entry bits_of_each [n] (xs: [n]u32) = map2 (\i x -> (x >> (u32.i64 i & 31)) & 1) (iota n) xs
