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

-- Of ChaCha20.
-- ==
-- entry: quarter_rounds
-- notest random input { [50000][16]u32 }
-- input { [[87u32, 49u32, 34u32, 84u32, 29u32, 25u32, 93u32, 15u32, 6u32, 98u32, 55u32, 54u32, 79u32, 3u32, 50u32, 14u32]] }
-- output { [[974387708u32, 49u32, 34u32, 1511723584u32, 2216643534u32, 25u32, 93u32, 15u32, 2668987573u32, 3800794075u32, 55u32, 54u32, 2550650232u32, 3u32, 1059252438u32, 14u32]] }
entry quarter_rounds [n] (xs: [n][16]u32) =
  let turned (x: u32) k = (x << k) | (x >> (32 - k))
  let quarter a b c d (s: *[16]u32) : *[16]u32 =
    let s[a] = s[a] + s[b] let s[d] = turned (s[d] ^ s[a]) 16
    let s[c] = s[c] + s[d] let s[b] = turned (s[b] ^ s[c]) 12
    let s[a] = s[a] + s[b] let s[d] = turned (s[d] ^ s[a]) 8
    let s[c] = s[c] + s[d] let s[b] = turned (s[b] ^ s[c]) 7
    in s
  in map (\x -> loop s = copy x for _i < 10i32 do quarter 3 4 9 14 (quarter 0 4 8 12 s)) xs

-- Costs of the best ways to elements.
-- ==
-- entry: warped
-- notest random input { [6000][100]f32 }
-- input { [[0.1217739f32, 0.50462496f32, 0.65307474f32, 0.15008843f32, 0.70805633f32], [0.7436638f32, 6.24004e-2f32, 0.84668636f32, 0.9330967f32, 1.1022627e-2f32]] }
-- output { [[0.000000f32, 0.243548f32, 0.748173f32, 0.803163f32, 0.300177f32], [0.000000f32, 0.806064f32, 0.124801f32, 0.971487f32, 0.944119f32]] }
entry warped [n][m] (xs: [n][m]f32) =
  map (\x -> (loop (costs, left) = (replicate m 0, f32.inf) for j < m - 1 do
                let cost = x[j] + f32.min left (f32.min x[j] x[j + 1])
                let costs[j + 1] = cost
                in (costs, cost)).0) xs

-- ==
-- entry: greater_of_pairs
-- notest random input { [400000]f64 [400000]f64 }
-- input { [0.287063600058149f64, 0.6297556356304849f64, 0.19569432541101117f64, 0.7292804033844937f64] [0.2142204016228162f64, 0.3465684132076585f64, 0.34825927061813744f64, 0.9048227972806298f64] }
-- output { 1.272274291504588f64 }
entry greater_of_pairs [n] (xs: [n]f64) (ys: [n]f64) = loop s = 0 for i < n do 0.5 * s + f64.max xs[i] ys[i]
