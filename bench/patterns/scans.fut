-- Scans. Small data with what Futhark says of them, and those that are timed (bench/patterns.sh).

-- ==
-- entry: segmented_sum
-- notest random input { [2000000]f32 [2000000]bool }
-- input { [0.1217739f32, 0.50462496f32, 0.65307474f32, 0.15008843f32, 0.70805633f32, 0.7436638f32, 6.24004e-2f32] [false, false, true, true, true, true, false] }
-- output { [0.121774f32, 0.626399f32, 0.653075f32, 0.150088f32, 0.708056f32, 0.743664f32, 0.806064f32] }
entry segmented_sum [n] (xs: [n]f32) (flags: [n]bool) = scan (\(x, f) (y, g) -> (if g then y else x + y, f || g)) (0, false) (zip xs flags) |> map (.0)

-- ==
-- entry: from_the_end
-- notest random input { [2000000]i32 }
-- input { [-6i32, -9i32, -7i32, 9i32, -2i32, -6i32, 5i32] }
-- output { [-16i32, -10i32, -1i32, 6i32, -3i32, -1i32, 5i32] }
entry from_the_end [n] (xs: [n]i32) = reverse (scan (+) 0 (reverse xs))

-- ==
-- entry: running_max
-- notest random input { [2000000]i32 }
-- input { [-6i32, -9i32, -7i32, 9i32, -2i32, -6i32, 5i32] }
-- output { [-6i32, -6i32, -6i32, 9i32, 9i32, 9i32, 9i32] }
entry running_max [n] (xs: [n]i32) = scan i32.max i32.lowest xs

-- X[i] = a[i] * x[i - 1] + b[i].
-- ==
-- entry: recurrence
-- notest random input { [2000000]f32 [2000000]f32 }
-- input { [0.1217739f32, 0.50462496f32, 0.65307474f32, 0.15008843f32, 0.70805633f32, 0.7436638f32, 6.24004e-2f32] [0.105980694f32, 0.55350757f32, 0.8337141f32, 0.9955425f32, 0.98298174f32, 5.9424043e-3f32, 0.57900894f32] }
-- output { [0.105981f32, 0.659978f32, 1.594718f32, 2.032250f32, 3.438055f32, 4.281726f32, 2.987053f32] }
entry recurrence [n] (a: [n]f32) (b: [n]f32) = scan (\(a, b) (c, d) -> (a * c, c * b + d)) (1, 0) (zip (map (0.5 +) a) b) |> map (.1)

-- ==
-- entry: exclusive
-- notest random input { [2000000]i64 }
-- input { [93379i64, 58976i64, 5986i64, 53691i64, 81831i64, 34499i64, 37710i64] }
-- output { [0i64, 93379i64, 152355i64, 158341i64, 212032i64, 293863i64, 328362i64] }
entry exclusive [n] (xs: [n]i64) = map2 (-) (scan (+) 0 xs) xs

-- Of what is true, up to each element.
-- ==
-- entry: last_place
-- notest random input { [2000000]bool }
-- input { [true, false, false, false, true, true, true] }
-- output { [0i64, 0i64, 0i64, 0i64, 4i64, 5i64, 6i64] }
entry last_place [n] (xs: [n]bool) = scan i64.max (-1) (map2 (\x i -> if x then i else -1) xs (iota n))

-- ==
-- entry: rows
-- notest random input { [2000][1000]f32 }
-- input { [[0.1217739f32, 0.50462496f32, 0.65307474f32, 0.15008843f32], [0.70805633f32, 0.7436638f32, 6.24004e-2f32, 0.84668636f32], [0.9330967f32, 1.1022627e-2f32, 0.44131202f32, 0.45543474f32]] }
-- output { [[0.121774f32, 0.626399f32, 1.279474f32, 1.429562f32], [0.708056f32, 1.451720f32, 1.514121f32, 2.360807f32], [0.933097f32, 0.944119f32, 1.385431f32, 1.840866f32]] }
entry rows [n][m] (a: [n][m]f32) = map (scan (+) 0) a

-- ==
-- entry: columns
-- notest random input { [2000][1000]f32 }
-- input { [[0.1217739f32, 0.50462496f32, 0.65307474f32, 0.15008843f32], [0.70805633f32, 0.7436638f32, 6.24004e-2f32, 0.84668636f32], [0.9330967f32, 1.1022627e-2f32, 0.44131202f32, 0.45543474f32]] }
-- output { [[0.121774f32, 0.504625f32, 0.653075f32, 0.150088f32], [0.829830f32, 1.248289f32, 0.715475f32, 0.996775f32], [1.762927f32, 1.259311f32, 1.156787f32, 1.452209f32]] }
entry columns [n][m] (a: [n][m]f32) = transpose (map (scan (+) 0) (transpose a))

-- ==
-- entry: summed_area
-- notest random input { [1000][1000]f32 }
-- input { [[0.1217739f32, 0.50462496f32, 0.65307474f32, 0.15008843f32], [0.70805633f32, 0.7436638f32, 6.24004e-2f32, 0.84668636f32], [0.9330967f32, 1.1022627e-2f32, 0.44131202f32, 0.45543474f32]] }
-- output { [[0.121774f32, 0.626399f32, 1.279474f32, 1.429562f32], [0.829830f32, 2.078119f32, 2.793594f32, 3.790369f32], [1.762927f32, 3.022238f32, 4.179026f32, 5.631235f32]] }
entry summed_area [n][m] (a: [n][m]f32) = transpose (map (scan (+) 0) (transpose (map (scan (+) 0) a)))

-- ==
-- entry: products_of_rows
-- notest random input { [2000][100]f32 }
-- input { [[0.1217739f32, 0.50462496f32, 0.65307474f32, 0.15008843f32], [0.70805633f32, 0.7436638f32, 6.24004e-2f32, 0.84668636f32], [0.9330967f32, 1.1022627e-2f32, 0.44131202f32, 0.45543474f32]] }
-- output { [0.229379f32, 1.295289f32, 0.949988f32] }
entry products_of_rows [n][m] (a: [n][m]f32) = map (\row -> f32.sum (scan (*) 1 row)) a
