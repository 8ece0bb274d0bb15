-- Dense product with scaling (Parboil's sgemm).
-- ==
-- entry: main
-- script input { mk 5i64 }
-- output {
--   [[0.654572f32, 0.205837f32, 0.766280f32, 0.842296f32, 0.512404f32], [0.891495f32, 1.560436f32, 0.935690f32, 0.723560f32, 1.124942f32],
--   [0.547757f32, 1.296300f32, 0.450853f32, 1.083176f32, 1.273096f32], [1.071861f32, 1.067213f32, 1.833988f32, 1.282750f32, 1.386496f32],
--   [0.824858f32, 1.220194f32, 0.566046f32, 0.920068f32, 1.612188f32]]
-- }

def mult [n][m][p] (xss: [n][m]f32) (yss: [m][p]f32) : [n][p]f32 =
  map (\xs -> map (\ys -> f32.sum (map2 (*) xs ys)) (transpose yss)) xss
def add [n][m] (a: [n][m]f32) (b: [n][m]f32) = map2 (map2 (+)) a b
def scale [n][m] (a: [n][m]f32) (k: f32) = map (map (* k)) a
entry main [n][m][p] (a: [n][m]f32) (b: [m][p]f32) (c: [n][p]f32) (alpha: f32) (beta: f32) =
  add (scale c beta) (scale (mult a b) alpha)

def rnd (i: i64) : u32 =
  let x = u32.i64 i * 2654435761u32
  let x = (x ^ (x >> 15)) * 2246822519u32
  in (x ^ (x >> 13)) >> 4
def rndf (i: i64) : f32 = f32.u32 (rnd i) / 268435456f32
entry mk (n: i64) = let f o = tabulate_2d n n (\i j -> rndf (o + i * n + j)) in (f 0, f 1, f 2, 0.5f32, 0.7f32)
