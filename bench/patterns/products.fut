-- Products of matrices, and what looks like them. Small data with what Futhark says of them, and those that are timed (bench/patterns.sh).

-- ==
-- entry: matrix_by_vector
-- notest random input { [2000][2000]f32 [2000]f32 }
-- input { [[0.1217739f32, 0.50462496f32, 0.65307474f32], [0.15008843f32, 0.70805633f32, 0.7436638f32]] [0.105980694f32, 0.55350757f32, 0.8337141f32] }
-- output { [0.836697f32, 1.027824f32] }
entry matrix_by_vector [n][m] (a: [n][m]f32) (x: [m]f32) = map (\row -> f32.sum (map2 (*) row x)) a

-- ==
-- entry: vector_by_matrix
-- notest random input { [2000][2000]f32 [2000]f32 }
-- input { [[0.1217739f32, 0.50462496f32, 0.65307474f32], [0.15008843f32, 0.70805633f32, 0.7436638f32]] [0.105980694f32, 0.55350757f32] }
-- output { [0.095981f32, 0.445395f32, 0.480837f32] }
entry vector_by_matrix [n][m] (a: [n][m]f32) (x: [n]f32) = map (\c -> f32.sum (map2 (*) c x)) (transpose a)

-- ==
-- entry: outer_product
-- notest random input { [2000]f32 [2000]f32 }
-- input { [0.1217739f32, 0.50462496f32] [0.105980694f32, 0.55350757f32, 0.8337141f32] }
-- output { [[0.012906f32, 0.067403f32, 0.101525f32], [0.053481f32, 0.279314f32, 0.420713f32]] }
entry outer_product [n][m] (a: [n]f32) (b: [m]f32) = map (\x -> map (x *) b) a

-- ==
-- entry: distances
-- notest random input { [500][16]f32 [500][16]f32 }
-- input { [[0.1217739f32, 0.50462496f32, 0.65307474f32], [0.15008843f32, 0.70805633f32, 0.7436638f32]] [[0.105980694f32, 0.55350757f32, 0.8337141f32], [0.9955425f32, 0.98298174f32, 5.9424043e-3f32], [0.57900894f32, 0.2695679f32, 0.5455557f32]] }
-- output { [[0.035270f32, 1.411077f32, 0.275876f32], [0.033940f32, 1.334610f32, 0.415492f32]] }
entry distances [n][m][d] (a: [n][d]f32) (b: [m][d]f32) = map (\x -> map (\y -> f32.sum (map2 (\p q -> (p - q) * (p - q)) x y)) b) a

-- ==
-- entry: nearest
-- notest random input { [500][16]f32 [500][16]f32 }
-- input { [[0.1217739f32, 0.50462496f32, 0.65307474f32], [0.15008843f32, 0.70805633f32, 0.7436638f32]] [[0.105980694f32, 0.55350757f32, 0.8337141f32], [0.9955425f32, 0.98298174f32, 5.9424043e-3f32], [0.57900894f32, 0.2695679f32, 0.5455557f32]] }
-- output { [0i64, 0i64] }
entry nearest [n][m][d] (a: [n][d]f32) (b: [m][d]f32) =
  map (\x ->
         let ds = map (\y -> f32.sum (map2 (\p q -> (p - q) * (p - q)) x y)) b
         in (reduce (\(u, i) (v, j) -> if u < v then (u, i) else (v, j)) (f32.inf, -1) (zip ds (iota m))).1) a

-- ==
-- entry: lengths_between
-- notest random input { [400][3]f32 }
-- input { [[0.1217739f32, 0.50462496f32, 0.65307474f32], [0.15008843f32, 0.70805633f32, 0.7436638f32], [6.24004e-2f32, 0.84668636f32, 0.9330967f32]] }
-- output { [[0.000000f32, 0.224483f32, 0.446031f32], [0.224483f32, 0.000000f32, 0.250584f32], [0.446031f32, 0.250584f32, 0.000000f32]] }
entry lengths_between [n] (p: [n][3]f32) = map (\a -> map (\b -> let d = map2 (-) a b in f32.sqrt (f32.sum (map (\x -> x * x) d))) p) p

-- ==
-- entry: many_small
-- notest random input { [200][16][16]f32 [200][16][16]f32 }
-- input { [[[0.1217739f32, 0.50462496f32, 0.65307474f32], [0.15008843f32, 0.70805633f32, 0.7436638f32]], [[6.24004e-2f32, 0.84668636f32, 0.9330967f32], [1.1022627e-2f32, 0.44131202f32, 0.45543474f32]]] [[[0.105980694f32, 0.55350757f32], [0.8337141f32, 0.9955425f32], [0.98298174f32, 5.9424043e-3f32]], [[0.57900894f32, 0.2695679f32], [0.5455557f32, 0.23360121f32], [0.8090708f32, 0.8745494f32]]] }
-- output { [[[1.075579f32, 0.573659f32], [1.337231f32, 0.792394f32]], [[1.252986f32, 1.030647f32], [0.615621f32, 0.504363f32]]] }
entry many_small [b][n][m][k] (x: [b][n][m]f32) (y: [b][m][k]f32) = map2 (\a b -> map (\r -> map (\c -> f32.sum (map2 (*) r c)) (transpose b)) a) x y

-- ==
-- entry: of_f64
-- notest random input { [400][400]f64 [400][400]f64 }
-- input { [[0.287063600058149f64, 0.6297556356304849f64, 0.19569432541101117f64], [0.7292804033844937f64, 0.4853287170892713f64, 0.42413523717403034f64]] [[0.2142204016228162f64, 0.3465684132076585f64], [0.34825927061813744f64, 0.9048227972806298f64], [0.10369572508683933f64, 0.9880085254567541f64]] }
-- output { [[0.301105782996957f64, 0.862652094085834f64], [0.369227976885861f64, 1.110931269856303f64]] }
entry of_f64 [n][m][k] (x: [n][m]f64) (y: [m][k]f64) = map (\r -> map (\c -> f64.sum (map2 (*) r c)) (transpose y)) x

-- ==
-- entry: gram
-- notest random input { [1000][100]f32 }
-- input { [[0.1217739f32, 0.50462496f32, 0.65307474f32], [0.15008843f32, 0.70805633f32, 0.7436638f32], [6.24004e-2f32, 0.84668636f32, 0.9330967f32], [1.1022627e-2f32, 0.44131202f32, 0.45543474f32]] }
-- output { [[0.041371f32, 0.225419f32, 0.254388f32], [0.225419f32, 1.667624f32, 1.847143f32], [0.254388f32, 1.847143f32, 2.057633f32]] }
entry gram [n][m] (a: [n][m]f32) = map (\x -> map (\y -> f32.sum (map2 (*) x y)) (transpose a)) (transpose a)

-- Least sums in place of sums of products.
-- ==
-- entry: shortest
-- notest random input { [300][300]i32 [300][300]i32 }
-- input { [[-6i32, -9i32, -7i32], [9i32, -2i32, -6i32]] [[-2i32, 8i32], [1i32, -9i32], [5i32, 8i32]] }
-- output { [[-8i32, -18i32], [-1i32, -11i32]] }
entry shortest [n][m][k] (x: [n][m]i32) (y: [m][k]i32) = map (\r -> map (\c -> i32.minimum (map2 (+) r c)) (transpose y)) x

-- ==
-- entry: reachable
-- notest random input { [300][300]bool [300][300]bool }
-- input { [[true, false, false], [false, true, true]] [[false, false], [true, true], [true, true]] }
-- output { [[false, false], [true, true]] }
entry reachable [n][m][k] (x: [n][m]bool) (y: [m][k]bool) = map (\r -> map (\c -> or (map2 (&&) r c)) (transpose y)) x
