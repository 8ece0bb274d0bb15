-- What views.py calls: arrays of three dimensions, several arrays, tuples and records.
type grid [n][m] = {cells: [n][m]f32, scale: f32}
type point = {x: f64, y: f64}
entry turned [n][m][k] (xs: [n][m][k]f64) : [k][m][n]f64 = map transpose (transpose (map transpose xs))
entry weighed [n][m][k] (xs: [n][m][k]f32) (weights: [n][m]f32) (start: [n]f32) : [n]f32 =
  map3 (\x w s -> s + f32.sum (map2 (\row y -> y * f32.sum row) x w)) xs weights start
entry sums [n][m] (xs: [n][m]f64) : ([n]f64, {columns: [m]f64, all: f64}) =
  (map f64.sum xs, {columns = map f64.sum (transpose xs), all = f64.sum (map f64.sum xs)})
entry product [n][m] (p: ([n][m]f64, [m]f64)) (scales: [n]f64) : [n]f64 =
  map2 (\row s -> s * f64.sum (map2 (*) row p.1)) p.0 scales
entry scaled [n][m] (g: grid [n][m]) (xs: [n]f32) : [n]f32 = map2 (\row x -> g.scale * x + f32.sum row) g.cells xs
entry moments [n] (ps: [n]point) (weights: [n]f64) : f64 = f64.sum (map2 (\p w -> w * (p.x + p.y)) ps weights)
