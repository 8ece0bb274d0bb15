-- Mandelbrot with smooth colours and records.
-- ==
-- entry: main
-- script input { mk 8i64 }
-- output {
--   [[0u32, 0u32, 65793u32, 65793u32, 65793u32, 65793u32, 65793u32, 65793u32], [0u32, 65793u32, 65793u32, 131586u32, 197379u32, 855309u32,
--   197379u32, 65793u32], [0u32, 131586u32, 131586u32, 263172u32, 592137u32, 0u32, 394758u32, 131586u32], [131586u32, 197379u32, 657930u32,
--   526344u32, 0u32, 0u32, 0u32, 263172u32], [0u32, 0u32, 0u32, 0u32, 0u32, 0u32, 0u32, 263172u32], [131586u32, 197379u32, 657930u32,
--   526344u32, 0u32, 0u32, 0u32, 263172u32], [0u32, 131586u32, 131586u32, 263172u32, 592137u32, 0u32, 394758u32, 131586u32], [0u32, 65793u32,
--   65793u32, 131586u32, 197379u32, 855309u32, 197379u32, 65793u32]]
-- }

type complex = {re: f64, im: f64}
def dot {re, im} : f64 = re * re + im * im
def mult (a: complex) (b: complex) : complex = {re = a.re * b.re - a.im * b.im, im = a.re * b.im + a.im * b.re}
def add (a: complex) (b: complex) : complex = {re = a.re + b.re, im = a.im + b.im}
def escape (limit: i32) (c: complex) = 
  loop (z, i) = (c, 0) while i < limit && dot z < 4 do (add c (mult z z), i + 1)
entry main (h: i64) (w: i64) (limit: i32) (cx: f64) (cy: f64) (r: f64) : [h][w]u32 =
  let rows = tabulate h (\i -> cy - r + 2 * r * f64.i64 i / f64.i64 h)
  let cols = tabulate w (\i -> cx - r + 2 * r * f64.i64 i / f64.i64 w)
  in map (\im -> map (\re ->
    let (z, i) = escape limit {re, im}
    in if i == limit then 0 else
       let s = f64.i32 i + 1 - f64.log (f64.log (dot z)) / f64.log 2
       in u32.f64 (255 * s / f64.i32 limit) * 0x010101) cols) rows
entry mk (n: i64) = (n, n, 200i32, -0.5f64, 0f64, 1.4f64)
