-- Radix-2 FFT (Stockham) of many rows, then of columns.
-- ==
-- entry: main
-- script input { mk 4i64 }
-- output {
--   [[6.573552f32, 0.642071f32, -1.561872f32, -1.085056f32], [0.625103f32, -1.382544f32, -0.685417f32, -0.981182f32], [-0.646644f32,
--   1.521790f32, 3.361420f32, -1.627387f32], [-1.536164f32, -1.388547f32, 0.525546f32, -2.354670f32]]
--   [[8.205312f32, -2.040007f32, -0.215678f32, 0.834280f32], [0.603562f32, -0.170373f32, -0.675697f32, -2.024709f32], [1.488528f32,
--   -1.312115f32, -0.107871f32, -0.796615f32], [-0.780999f32, -0.866316f32, 0.374486f32, 0.039347f32]]
-- }

type c = (f32, f32)
def cadd (a: c) (b: c) : c = (a.0 + b.0, a.1 + b.1)
def csub (a: c) (b: c) : c = (a.0 - b.0, a.1 - b.1)
def cmul (a: c) (b: c) : c = (a.0 * b.0 - a.1 * b.1, a.0 * b.1 + a.1 * b.0)
def fft1 [n] (bits: i32) (data: [n]c) : [n]c =
  let iteration (ns: i64) (data: [n]c) : *[n]c =
    let half = n / 2
    let angle k = -2 * f32.pi * f32.i64 (k % ns) / f32.i64 (ns * 2)
    let butterfly j =
      let (a, b) = (data[j], data[j + half])
      let w = (f32.cos (angle j), f32.sin (angle j))
      let b = cmul b w
      let k = (j / ns) * ns * 2 + j % ns
      in (k, cadd a b, k + ns, csub a b)
    let (i0, v0, i1, v1) = unzip4 (map butterfly (iota half))
    in scatter (scatter (replicate n (0, 0)) i0 v0) i1 v1
  let (data, _) = loop (data, ns) = (copy data, 1) for _b < bits do (iteration ns data, ns * 2)
  in data
entry main [n][m] (re: [n][m]f32) (im: [n][m]f32) =
  let bits k = let (b, _) = loop (b, i) = (0i32, 1) while i < k do (b + 1, i * 2) in b
  let rows = map (fft1 (bits m)) (map2 zip re im)
  let cols = transpose (map (fft1 (bits n)) (transpose rows))
  in (map (map (.0)) cols, map (map (.1)) cols)

def rnd (i: i64) : u32 =
  let x = u32.i64 i * 2654435761u32
  let x = (x ^ (x >> 15)) * 2246822519u32
  in (x ^ (x >> 13)) >> 4
def rndf (i: i64) : f32 = f32.u32 (rnd i) / 268435456f32
entry mk (n: i64) = (tabulate_2d n n (\i j -> rndf (i * n + j)), tabulate_2d n n (\i j -> rndf (i * n + j + 77)))
