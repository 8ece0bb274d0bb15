-- Smooth life: disc and annulus averages by direct convolution, then a transition function.
-- ==
-- entry: main
-- script input { mk 8i64 }
-- output {
--   [[0.000000f32, 0.000000f32, 0.000000f32, 0.000000f32, 0.000000f32, 0.000000f32, 0.000000f32, 0.000000f32], [0.000000f32, 0.000000f32,
--   0.000000f32, 0.000000f32, 0.000000f32, 0.000000f32, 0.000000f32, 0.000000f32], [0.000000f32, 0.000000f32, 0.000000f32, 0.000000f32,
--   0.000000f32, 0.000000f32, 0.000000f32, 0.000000f32], [0.000000f32, 0.000000f32, 0.000000f32, 0.000000f32, 0.000000f32, 0.000000f32,
--   0.000000f32, 0.000000f32], [0.000000f32, 0.000000f32, 0.000000f32, 0.000000f32, 0.000000f32, 0.000000f32, 0.000000f32, 0.000000f32],
--   [0.000000f32, 0.000000f32, 0.000000f32, 0.000000f32, 0.000000f32, 0.000000f32, 0.000000f32, 0.000000f32], [0.000000f32, 0.000000f32,
--   0.000000f32, 0.000000f32, 0.000000f32, 0.000000f32, 0.000000f32, 0.000000f32], [0.000000f32, 0.000000f32, 0.000000f32, 0.000000f32,
--   0.000000f32, 0.000000f32, 0.000000f32, 0.000000f32]]
-- }

def sigma1 (a: f32) (x: f32) (al: f32) = 1 / (1 + f32.exp (-(x - a) * 4 / al))
def sigma_n x a b an = sigma1 a x an * (1 - sigma1 b x an)
def mix x y m am = let s = sigma1 0.5 m am in x * (1 - s) + y * s
def transition (n: f32) (m: f32) =
  let (b1, b2, d1, d2, an, am) = (0.278f32, 0.365f32, 0.267f32, 0.445f32, 0.028f32, 0.147f32)
  in sigma_n n (mix b1 d1 m am) (mix b2 d2 m am) an
def radius = 6i64
def weights (lo: f32) (hi: f32) : [2 * radius + 1][2 * radius + 1]f32 =
  let w = tabulate_2d (2 * radius + 1) (2 * radius + 1) (\i j ->
    let d = f32.sqrt (f32.i64 ((i - radius) ** 2 + (j - radius) ** 2))
    in f32.max 0 (f32.min 1 (hi - d + 0.5)) * f32.max 0 (f32.min 1 (d - lo + 0.5)))
  let s = f32.sum (flatten w)
  in map (map (/ s)) w
entry main [n][m] (steps: i32) (world: [n][m]f32) : [n][m]f32 =
  let inner = weights (-1) 2
  let outer = weights 2 6
  let average k (w: [n][m]f32) i j =
    f32.sum (flatten (tabulate_2d (2 * radius + 1) (2 * radius + 1) (\a b -> k[a, b] * w[(i + a - radius) % n, (j + b - radius) % m])))
  in loop world for _k < steps do
       tabulate_2d n m (\i j -> transition (average outer world i j) (average inner world i j))

def rnd (i: i64) : u32 =
  let x = u32.i64 i * 2654435761u32
  let x = (x ^ (x >> 15)) * 2246822519u32
  in (x ^ (x >> 13)) >> 4
def rndf (i: i64) : f32 = f32.u32 (rnd i) / 268435456f32
entry mk (n: i64) = (2i32, tabulate_2d n n (\i j -> if (i / 16 + j / 16) % 3 == 0 then rndf (i * n + j) else 0))
