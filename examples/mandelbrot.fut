-- The Mandelbrot set as a binary PPM image: the bytes of the result are the file.
--
--   echo '600i64 400i64 200i32' | fun run -b examples/mandelbrot.fut | tail -c +17 > mandelbrot.ppm
--
-- (the first 16 bytes of the output are the header of the binary value format: the file starts after it)
-- ==
-- entry: escape_times
-- input { 3i64 2i64 50i32 }
-- output { [[1i32, 2i32, 3i32], [1i32, 50i32, 50i32]] }

-- Number of steps until the point escapes, at most `limit`.
def escape_time (limit: i32) (re: f64) (im: f64): i32 =
  let (_, _, steps) =
    loop (x, y, steps) = (0, 0, 0) while steps < limit && x * x + y * y < 4 do
      (x * x - y * y + re, 2 * x * y + im, steps + 1)
  in steps

entry escape_times (width: i64) (height: i64) (limit: i32): [height][width]i32 =
  let re i = -2.25 + 3 * f64.i64 i / f64.i64 width
  let im j = -1.25 + 2.5 * f64.i64 j / f64.i64 height
  in tabulate_2d height width (\j i -> escape_time limit (re i) (im j))

-- The decimal digits of a number, at least one.
def digits (n: i64): []u8 =
  let (reversed, _) =
    loop (ds, n) = ([u8.i64 (n % 10) + '0'], n / 10) while n > 0 do
      (ds ++ [u8.i64 (n % 10) + '0'], n / 10)
  in reverse reversed

entry main (width: i64) (height: i64) (limit: i32): []u8 =
  let colour t =
    if t == limit then [0u8, 0, 0]
    else let s = f64.sqrt (f64.i32 t / f64.i32 limit)
         in [u8.f64 (255 * s), u8.f64 (200 * s * s), u8.f64 (255 * (1 - s) * s + 40)]
  let pixels = map (map colour) (escape_times width height limit)
  in "P6\n" ++ digits width ++ " " ++ digits height ++ "\n255\n" ++ flatten (flatten pixels)
