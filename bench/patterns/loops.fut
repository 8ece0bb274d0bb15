-- Loops in each element, and around all. Small data with what Futhark says of them, and those that are timed (bench/patterns.sh).

-- ==
-- entry: collatz
-- notest random input { [100000]i32 }
-- input { [-6i32, -9i32, -7i32, 9i32, -2i32] }
-- output { [50i32, 50i32, 50i32, 111i32, 50i32] }
entry collatz [n] (xs: [n]i32) = map (\x -> (loop (a, c) = (i64.i32 (x % 1000) + 1000, 0i32) while a > 1 do (if a % 2 == 0 then a / 2 else 3 * a + 1, c + 1)).1) xs

-- ==
-- entry: in_place
-- notest random input { [1000000]i32 }
-- input { [-6i32, -9i32, -7i32, 9i32, -2i32] }
-- output { [-6i32, -15i32, -22i32, -13i32, -15i32] }
entry in_place [n] (xs: *[n]i32) = loop xs for i < n - 1 do xs with [i + 1] = xs[i] + xs[i + 1]

-- ==
-- entry: powers
-- notest random input { [200000]i64 }
-- input { [93379i64, 58976i64, 5986i64, 53691i64, 81831i64] }
-- output { [178187i64, 862338i64, 198640i64, 958066i64, 266875i64] }
entry powers [n] (xs: [n]i64) = map (\x -> (loop (r, b) = (1, x % 1000003) for i < 20i32 do (if (12345 >> i) & 1 == 1 then r * b % 1000003 else r, b * b % 1000003)).0) xs

-- The greatest common ones.
-- ==
-- entry: divisors
-- notest random input { [200000]u32 [200000]u32 }
-- input { [87u32, 49u32, 34u32, 84u32] [89u32, 44u32, 16u32, 0u32] }
-- output { [1u32, 1u32, 2u32, 84u32] }
entry divisors [n] (xs: [n]u32) (ys: [n]u32) = map2 (\x y -> (loop (a, b) = (x, y) while b != 0 do (b, a % b)).0) xs ys

-- ==
-- entry: roots
-- notest random input { [300000]f64 }
-- input { [0.287063600058149f64, 0.6297556356304849f64, 0.19569432541101117f64, 0.7292804033844937f64] }
-- output { [0.545035411746933f64, 0.799847257687669f64, 0.453535362911219f64, 0.859814167936592f64] }
entry roots [n] (xs: [n]f64) = map (\x -> loop y = 1 for _i < 20i32 do 0.5 * (y + x / y)) (map (\x -> x + 0.01) xs)

-- ==
-- entry: orbits
-- notest random input { [200000]f32 }
-- input { [0.1217739f32, 0.50462496f32, 0.65307474f32, 0.15008843f32] }
-- output { [0.546693f32, 0.380397f32, 0.537498f32, 0.533455f32] }
entry orbits [n] (xs: [n]f32) = map (\r -> loop x = 0.5 for _i < 50i32 do (3 + r) * x * (1 - x)) xs

-- ==
-- entry: heat_steps
-- notest random input { [100000]f32 }
-- input { [0.1217739f32, 0.50462496f32, 0.65307474f32, 0.15008843f32, 0.70805633f32, 0.7436638f32, 6.24004e-2f32, 0.84668636f32, 0.9330967f32] }
-- output { [0.481401f32, 0.486618f32, 0.496432f32, 0.509675f32, 0.524763f32, 0.539883f32, 0.553204f32, 0.563108f32, 0.568383f32] }
entry heat_steps [n] (xs: [n]f32) = loop xs for _t < 50i32 do tabulate n (\i -> 0.25 * xs[i64.max 0 (i - 1)] + 0.5 * xs[i] + 0.25 * xs[i64.min (n - 1) (i + 1)])
