-- What is done with each row of a matrix. Small data with what Futhark says of them, and those that are timed (bench/patterns.sh).

-- ==
-- entry: softmax
-- notest random input { [2000][500]f32 }
-- input { [[0.1217739f32, 0.50462496f32, 0.65307474f32, 0.15008843f32], [0.70805633f32, 0.7436638f32, 6.24004e-2f32, 0.84668636f32]] }
-- output { [[0.192444f32, 0.282211f32, 0.327375f32, 0.197971f32], [0.269595f32, 0.279368f32, 0.141354f32, 0.309684f32]] }
entry softmax [n][m] (xs: [n][m]f32) =
  map (\row -> let m = f32.maximum row let es = map (\x -> f32.exp (x - m)) row let sum = f32.sum es in map (/ sum) es) xs

-- ==
-- entry: layer_norm
-- notest random input { [2000][500]f32 }
-- input { [[0.1217739f32, 0.50462496f32, 0.65307474f32, 0.15008843f32], [0.70805633f32, 0.7436638f32, 6.24004e-2f32, 0.84668636f32]] }
-- output { [[-1.034151f32, 0.646231f32, 1.297796f32, -0.909875f32], [0.381449f32, 0.496696f32, -1.708285f32, 0.830140f32]] }
entry layer_norm [n][m] (xs: [n][m]f32) =
  map (\row ->
         let mean = f32.sum row / f32.i64 m
         let variance = f32.sum (map (\x -> (x - mean) * (x - mean)) row) / f32.i64 m
         in map (\x -> (x - mean) / f32.sqrt (variance + 1e-5)) row) xs

-- ==
-- entry: log_sums
-- notest random input { [2000][500]f64 }
-- input { [[0.287063600058149f64, 0.6297556356304849f64, 0.19569432541101117f64, 0.7292804033844937f64], [0.4853287170892713f64, 0.42413523717403034f64, 0.4982015204295517f64, 0.7865937868707549f64]] }
-- output { [1.871710449193910f64, 1.945144134213984f64] }
entry log_sums [n][m] (xs: [n][m]f64) = map (\row -> let m = f64.maximum row in m + f64.log (f64.sum (map (\x -> f64.exp (x - m)) row))) xs

-- ==
-- entry: sums_of_columns
-- notest random input { [2000][1000]f32 }
-- input { [[0.1217739f32, 0.50462496f32, 0.65307474f32, 0.15008843f32], [0.70805633f32, 0.7436638f32, 6.24004e-2f32, 0.84668636f32], [0.9330967f32, 1.1022627e-2f32, 0.44131202f32, 0.45543474f32]] }
-- output { [1.762927f32, 1.259311f32, 1.156787f32, 1.452209f32] }
entry sums_of_columns [n][m] (a: [n][m]f32) = map f32.sum (transpose a)

-- ==
-- entry: places_of_greatest
-- notest random input { [4000][500]f32 }
-- input { [[0.1217739f32, 0.50462496f32, 0.65307474f32, 0.15008843f32, 0.70805633f32], [0.7436638f32, 6.24004e-2f32, 0.84668636f32, 0.9330967f32, 1.1022627e-2f32], [0.44131202f32, 0.45543474f32, 0.20895827f32, 0.96615654f32, 0.49724936f32]] }
-- output { [4i64, 3i64, 3i64] }
entry places_of_greatest [n][m] (a: [n][m]f32) = map (\row -> (reduce (\(x, i) (y, j) -> if x > y || (x == y && i < j) then (x, i) else (y, j)) (-f32.inf, -1) (zip row (iota m))).1) a

-- ==
-- entry: standardised_columns
-- notest random input { [2000][500]f32 }
-- input { [[0.1217739f32, 0.50462496f32, 0.65307474f32], [0.15008843f32, 0.70805633f32, 0.7436638f32], [6.24004e-2f32, 0.84668636f32, 0.9330967f32], [1.1022627e-2f32, 0.44131202f32, 0.45543474f32]] }
-- output { [[0.659314f32, -0.746599f32, -0.251554f32], [1.185882f32, 0.513359f32, 0.275425f32], [-0.444860f32, 1.371969f32, 1.377404f32], [-1.400336f32, -1.138729f32, -1.401276f32]] }
entry standardised_columns [n][m] (a: [n][m]f32) =
  let means = map (\c -> f32.sum c / f32.i64 n) (transpose a)
  let deviations = map2 (\c mean -> f32.sqrt (f32.sum (map (\x -> (x - mean) * (x - mean)) c) / f32.i64 n)) (transpose a) means
  in map (\row -> map3 (\x mean deviation -> (x - mean) / (deviation + 1e-6)) row means deviations) a

-- ==
-- entry: greatest_of_rows
-- notest random input { [4000][500]i32 }
-- input { [[-6i32, -9i32, -7i32, 9i32], [-2i32, -6i32, 5i32, 9i32], [-3i32, -1i32, 8i32, -9i32]] }
-- output { [9i32, 9i32, 8i32] }
entry greatest_of_rows [n][m] (a: [n][m]i32) = map i32.maximum a

-- ==
-- entry: counts_of_rows
-- notest random input { [2000][500]f32 }
-- input { [[0.1217739f32, 0.50462496f32, 0.65307474f32], [0.70805633f32, 0.7436638f32, 0.0624004f32]] }
-- output { [2i64, 2i64] }
entry counts_of_rows [n][m] (a: [n][m]f32) = map (\row -> i64.sum (map (\x -> i64.bool (x > 0.5)) row)) a
