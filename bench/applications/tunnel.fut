-- The tunnel effect of demos.
-- ==
-- entry: main
-- script input { mk 6i64 }
-- output {
--   [[5914450i32, 1248527i32, 591366i32, 9791592i32, 591366i32, 1248527i32], [12354454i32, 2431512i32, 197122i32, 5191466i32, 197122i32,
--   2431512i32], [1182733i32, 2299924i32, 1840140i32, 1314311i32, 1840140i32, 2299924i32], [8411738i32, 197122i32, 65536i32, 0i32, 65536i32,
--   197122i32], [1182733i32, 2299924i32, 1840140i32, 1314311i32, 1840140i32, 2299924i32], [12354454i32, 2431512i32, 197122i32, 5191466i32,
--   197122i32, 2431512i32]]
-- }

def (&&&) (a: f32) (b: f32) = f32.min a b
def mod (x: f32) (y: f32) = x - f32.floor (x / y) * y
def pattern (t: f32) (u: f32) (v: f32) : f32 =
  let i = mod (u * 8 + t) 2 - 1
  let j = mod (v * 6) 2 - 1
  in f32.exp (-3 * (i * i + j * j)) + (if f32.abs i > 0.9 then 0.5 else 0)
entry main (time: f32) (h: i64) (w: i64) : [h][w]i32 =
  let pixel y x =
    let v = f32.i64 y / f32.i64 h - 0.5
    let u = (f32.i64 x / f32.i64 w - 0.5) * f32.i64 w / f32.i64 h
    let r = f32.sqrt (u * u + v * v)
    let a = f32.atan2 v u / f32.pi
    let depth = 0.3 / (r + 1e-4)
    let c = pattern time (depth + time) a * (r &&& 0.5) * 2
    let q (s: f32) = i32.f32 (255 * ((c * s) &&& 1))
    in (q 1 << 16) | (q 0.7 << 8) | q (0.2 + r)
  in tabulate_2d h w pixel
entry mk (n: i64) = (1.7f32, n, n)
