-- Option pricing by quasi-random numbers: Sobol, inverse normal, Brownian bridge, payoffs (FinPar's pricing in small).
-- ==
-- entry: main
-- script input { mk 100i64 }
-- output {
--   3.800704f32
--   10.512311f32
--   6.287554f32
-- }

def directions [d] (seeds: [d]u32) : [d][32]u32 =
  map (\s -> tabulate 32 (\i -> let v = (s + u32.i64 i * 2654435761) | 1 in (v & ((1 << u32.i64 i) * 2 - 1) | 1) << (31 - u32.i64 i))) seeds
def sobol [d] (dirs: [d][32]u32) (i: i64) : [d]f32 =
  let g = u32.i64 i ^ (u32.i64 i >> 1)
  in map (\row -> let x = reduce (^) 0 (map2 (\v b -> if (g >> u32.i64 b) & 1 == 1 then v else 0) row (iota 32))
                  in (f32.u32 x + 0.5) / 4294967296) dirs
def inverse_normal (u: f32) : f32 =
  let q = u - 0.5
  in if f32.abs q <= 0.425 then
       let r = 0.180625 - q * q
       in q * ((2509.0809 * r + 33430.576) * r + 67265.77) / ((5226.4953 * r + 28729.086) * r + 26843.0)
     else let r = f32.sqrt (-f32.log (f32.min u (1 - u)))
          in f32.sgn q * (1.4234 + r * (4.6303 + r * 5.7695)) / (1 + r * (2.0532 + r * 1.6764)) * 0.4
def brownian [steps] (zs: [steps]f32) : [steps]f32 = scan (+) 0 (map (/ f32.sqrt (f32.i64 steps)) zs)
entry main [d] (n: i64) (seeds: [d]u32) (s0: f32) (strike: f32) (vol: f32) (r: f32) =
  let dirs = directions seeds
  let payoff i =
    let w = sobol dirs i |> map inverse_normal |> brownian
    let path = map2 (\b t -> s0 * f32.exp ((r - vol * vol / 2) * f32.i64 (t + 1) / f32.i64 d + vol * b)) w (iota d)
    let mean = f32.sum path / f32.i64 d
    let top = f32.maximum path
    in (f32.max 0 (mean - strike), f32.max 0 (top - strike), if f32.minimum path < 80 then 0 else f32.max 0 (path[d - 1] - strike))
  let (a, b, c) = reduce (\(a, b, c) (d, e, f) -> (a + d, b + e, c + f)) (0, 0, 0) (map payoff (1..<n + 1))
  in (a / f32.i64 n, b / f32.i64 n, c / f32.i64 n)

def rnd (i: i64) : u32 =
  let x = u32.i64 i * 2654435761u32
  let x = (x ^ (x >> 15)) * 2246822519u32
  in (x ^ (x >> 13)) >> 4
def rndf (i: i64) : f32 = f32.u32 (rnd i) / 268435456f32
entry mk (n: i64) = (n, tabulate 16 rnd, 100f32, 100f32, 0.2f32, 0.03f32)
