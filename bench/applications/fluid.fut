-- Stable fluids (Stam), with Jacobi solves.
-- ==
-- entry: main
-- script input { mk 6i64 }
-- output {
--   [[0.000000f32, 0.171779f32, -0.110918f32, -0.004371f32, 0.101353f32, 0.000000f32], [-0.171779f32, -0.171779f32, 0.110918f32, 0.004371f32,
--   -0.101353f32, -0.101353f32], [0.020493f32, 0.020493f32, -0.134919f32, 0.107769f32, 0.194597f32, 0.194597f32], [0.041832f32, 0.041832f32,
--   0.081404f32, -0.192780f32, -0.167593f32, -0.167593f32], [-0.027742f32, -0.027742f32, 0.149010f32, 0.107443f32, 0.055530f32, 0.055530f32],
--   [0.000000f32, 0.027742f32, -0.149010f32, -0.107443f32, -0.055530f32, 0.000000f32]]
--   [[0.000000f32, 0.085722f32, 0.061450f32, 0.125927f32, -0.022685f32, 0.000000f32], [-0.085722f32, 0.085722f32, 0.061450f32, 0.125927f32,
--   -0.022685f32, 0.022685f32], [0.147124f32, -0.147124f32, -0.099336f32, -0.126276f32, 0.083672f32, -0.083672f32], [-0.095205f32, 0.095205f32,
--   -0.023338f32, -0.133278f32, -0.036851f32, 0.036851f32], [0.123064f32, -0.123064f32, 0.111833f32, 0.101381f32, 0.023911f32, -0.023911f32],
--   [0.000000f32, -0.123064f32, 0.111833f32, 0.101381f32, 0.023911f32, 0.000000f32]]
--   [[0.011100f32, 0.011100f32, -0.293725f32, -0.214469f32, -0.252974f32, -0.252974f32], [0.011100f32, 0.011100f32, -0.293725f32, -0.214469f32,
--   -0.252974f32, -0.252974f32], [-0.412948f32, -0.412948f32, -0.325132f32, -0.199256f32, -0.248523f32, -0.248523f32], [-0.381566f32,
--   -0.381566f32, -0.436522f32, 0.278067f32, 0.357610f32, 0.357610f32], [-0.203863f32, -0.203863f32, 0.009640f32, -0.041165f32, 0.368272f32,
--   0.368272f32], [-0.203863f32, -0.203863f32, 0.009640f32, -0.041165f32, 0.368272f32, 0.368272f32]]
-- }

def inside (n: i64) (i: i64) (j: i64) = i >= 1 && i <= n && j >= 1 && j <= n
def edge [m] (field: [m][m]f32) (b: i32) (i: i64) (j: i64) : f32 =
  let n = m - 2
  let sx = if b == 1 then -1f32 else 1
  let sy = if b == 2 then -1f32 else 1
  let get i j = #[unsafe] field[i, j]
  in if i == 0 && j == 0 then 0.5 * (sy * get 1 1 + sx * get 1 1)
     else if i == 0 && j == n + 1 then 0.5 * (sy * get 1 n + sx * get 1 n)
     else if i == n + 1 && j == 0 then 0.5 * (sy * get n 1 + sx * get n 1)
     else if i == n + 1 && j == n + 1 then 0.5 * (sy * get n n + sx * get n n)
     else if i == 0 then sx * get 1 j
     else if i == n + 1 then sx * get n j
     else if j == 0 then sy * get i 1
     else sy * get i n
def set_bnd [m] (b: i32) (field: [m][m]f32) : [m][m]f32 =
  tabulate_2d m m (\i j -> if inside (m - 2) i j then field[i, j] else edge field b i j)
def lin_solve [m] (steps: i32) (b: i32) (a: f32) (c: f32) (s0: [m][m]f32) : [m][m]f32 =
  loop s = replicate m (replicate m 0) for _k < steps do
    set_bnd b (tabulate_2d m m (\i j ->
      if inside (m - 2) i j
      then (s0[i, j] + a * (s[i - 1, j] + s[i + 1, j] + s[i, j - 1] + s[i, j + 1])) / c
      else 0))
def diffuse [m] steps b diff dt (s: [m][m]f32) =
  let a = dt * diff * f32.i64 (m - 2) ** 2
  in lin_solve steps b a (1 + 4 * a) s
def advect [m] (b: i32) (dt: f32) (s0: [m][m]f32) (u: [m][m]f32) (v: [m][m]f32) : [m][m]f32 =
  let n = m - 2
  let dt0 = dt * f32.i64 n
  in set_bnd b (tabulate_2d m m (\i j ->
       if !(inside n i j) then 0 else
       let clamp x = f32.max 0.5 (f32.min (f32.i64 n + 0.5) x)
       let x = clamp (f32.i64 i - dt0 * u[i, j])
       let y = clamp (f32.i64 j - dt0 * v[i, j])
       let (i0, j0) = (i64.f32 x, i64.f32 y)
       let (s1, t1) = (x - f32.i64 i0, y - f32.i64 j0)
       in (1 - s1) * ((1 - t1) * s0[i0, j0] + t1 * s0[i0, j0 + 1]) + s1 * ((1 - t1) * s0[i0 + 1, j0] + t1 * s0[i0 + 1, j0 + 1])))
def project [m] steps (u: [m][m]f32) (v: [m][m]f32) =
  let n = m - 2
  let h = 1 / f32.i64 n
  let div = set_bnd 0 (tabulate_2d m m (\i j -> if inside n i j then -0.5 * h * (u[i + 1, j] - u[i - 1, j] + v[i, j + 1] - v[i, j - 1]) else 0))
  let p = lin_solve steps 0 1 4 div
  let u' = tabulate_2d m m (\i j -> if inside n i j then u[i, j] - 0.5 * (p[i + 1, j] - p[i - 1, j]) / h else 0)
  let v' = tabulate_2d m m (\i j -> if inside n i j then v[i, j] - 0.5 * (p[i, j + 1] - p[i, j - 1]) / h else 0)
  in (set_bnd 1 u', set_bnd 2 v')
entry main [m] (u: [m][m]f32) (v: [m][m]f32) (d: [m][m]f32) (steps: i32) (frames: i32) (dt: f32) (diff: f32) (visc: f32) =
  loop (u, v, d) for _i < frames do
    let u = diffuse steps 1 visc dt u
    let v = diffuse steps 2 visc dt v
    let (u, v) = project steps u v
    let u' = advect 1 dt u u v
    let v' = advect 2 dt v u v
    let (u, v) = project steps u' v'
    let d = diffuse steps 0 diff dt d
    in (u, v, advect 0 dt d u v)

def rnd (i: i64) : u32 =
  let x = u32.i64 i * 2654435761u32
  let x = (x ^ (x >> 15)) * 2246822519u32
  in (x ^ (x >> 13)) >> 4
def rndf (i: i64) : f32 = f32.u32 (rnd i) / 268435456f32
entry mk (n: i64) = let f o = tabulate_2d n n (\i j -> rndf (o + i * n + j) - 0.5) in (f 0, f 77, f 200, 20i32, 4i32, 0.1f32, 0.0001f32, 0.0002f32)
