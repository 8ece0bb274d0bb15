-- Lattice Boltzmann in two dimensions, nine velocities (as Parboil's lbm, but flat).
-- ==
-- entry: main
-- script input { mk 6i64 }
-- output {
--   [[1.003750f32, 1.002587f32, 0.999894f32, 0.998488f32, 1.001010f32, 1.003090f32], [1.038280f32, 1.000323f32, 0.963142f32, 0.998581f32,
--   1.001939f32, 1.003208f32], [1.045270f32, 1.000000f32, 0.990812f32, 0.947297f32, 1.003786f32, 1.003338f32], [1.045208f32, 1.000000f32,
--   1.000000f32, 0.945894f32, 1.004625f32, 1.003502f32], [1.045270f32, 1.000000f32, 0.990812f32, 0.947297f32, 1.003786f32, 1.003338f32],
--   [1.038280f32, 1.000323f32, 0.963142f32, 0.998581f32, 1.001940f32, 1.003208f32]]
--   [[-0.000022f32, 0.000759f32, 0.001288f32, 0.000172f32, -0.001007f32, -0.000912f32], [0.045492f32, 0.083039f32, 0.046119f32, -0.000633f32,
--   -0.001006f32, -0.000724f32], [0.054730f32, 0.100000f32, 0.090812f32, 0.045805f32, -0.000816f32, -0.000540f32], [0.054792f32, 0.100000f32,
--   0.100000f32, 0.045894f32, -0.000535f32, -0.000335f32], [0.054730f32, 0.100000f32, 0.090812f32, 0.045805f32, -0.000816f32, -0.000540f32],
--   [0.045492f32, 0.083039f32, 0.046119f32, -0.000633f32, -0.001006f32, -0.000724f32]]
-- }

def cx : [9]i64 = [0, 1, 0, -1, 0, 1, -1, -1, 1]
def cy : [9]i64 = [0, 0, 1, 0, -1, 1, 1, -1, -1]
def weight : [9]f32 = [4 / 9, 1 / 9, 1 / 9, 1 / 9, 1 / 9, 1 / 36, 1 / 36, 1 / 36, 1 / 36]
def opposite : [9]i64 = [0, 3, 4, 1, 2, 7, 8, 5, 6]
def equilibrium (rho: f32) (ux: f32) (uy: f32) : [9]f32 =
  map3 (\x y w -> let cu = 3 * (f32.i64 x * ux + f32.i64 y * uy)
                  in rho * w * (1 + cu + 0.5 * cu * cu - 1.5 * (ux * ux + uy * uy))) cx cy weight
def step [h][w] (omega: f32) (solid: [h][w]bool) (f: [h][w][9]f32) : [h][w][9]f32 =
  tabulate_2d h w (\i j ->
    let incoming = tabulate 9 (\k -> f[(i - cy[k] + h) % h, (j - cx[k] + w) % w, k])
    in if solid[i, j] then map (\k -> incoming[k]) opposite else
       let rho = f32.sum incoming
       let ux = f32.sum (map2 (\v x -> v * f32.i64 x) incoming cx) / rho
       let uy = f32.sum (map2 (\v y -> v * f32.i64 y) incoming cy) / rho
       in map2 (\v e -> v + omega * (e - v)) incoming (equilibrium rho ux uy))
entry main [h][w] (steps: i32) (omega: f32) (solid: [h][w]bool) : ([h][w]f32, [h][w]f32) =
  let f = replicate h (replicate w (equilibrium 1 0.1 0))
  let f = loop f for _t < steps do step omega solid f
  in (map (map f32.sum) f, map (map (\v -> f32.sum (map2 (\v x -> v * f32.i64 x) v cx))) f)
entry mk (n: i64) = (20i32, 1.2f32, tabulate_2d n n (\i j -> (i - n / 2) ** 2 + (j - n / 4) ** 2 < n))
