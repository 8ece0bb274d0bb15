-- Canny edge detection: gauss, gradients, thinning, double threshold, hysteresis.
-- ==
-- entry: main
-- script input { mk 26i64 }
-- output {
--   [[0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8], [0u8,
--   0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8], [0u8, 0u8,
--   0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8], [0u8, 0u8, 0u8,
--   0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8], [0u8, 0u8, 0u8, 0u8,
--   0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8], [0u8, 0u8, 0u8, 0u8, 0u8,
--   0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 255u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8], [0u8, 0u8, 0u8, 0u8, 0u8, 0u8,
--   0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 255u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8], [0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8,
--   0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 255u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8], [0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8,
--   0u8, 0u8, 0u8, 0u8, 0u8, 255u8, 0u8, 0u8, 0u8, 0u8, 0u8, 255u8, 255u8, 0u8, 0u8, 0u8, 0u8, 0u8], [0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8,
--   0u8, 0u8, 0u8, 255u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 255u8, 0u8, 0u8, 0u8, 0u8], [0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8,
--   0u8, 0u8, 255u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 255u8, 0u8, 0u8, 0u8], [0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8,
--   0u8, 255u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 255u8, 0u8, 0u8], [0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8,
--   255u8, 255u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 255u8, 255u8, 0u8], [0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8,
--   255u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 255u8, 255u8], [0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8,
--   255u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 255u8, 0u8], [0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8,
--   255u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 255u8, 0u8], [0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8,
--   255u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 255u8, 0u8], [0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8,
--   255u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 255u8, 0u8], [0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8,
--   255u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 255u8, 0u8], [0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8,
--   255u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 255u8, 255u8], [0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8,
--   255u8, 255u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 255u8, 255u8, 0u8], [0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8,
--   0u8, 255u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 255u8, 0u8, 0u8], [0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8,
--   0u8, 0u8, 255u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 255u8, 0u8, 0u8, 0u8], [0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8,
--   0u8, 0u8, 0u8, 255u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8], [0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8,
--   0u8, 0u8, 0u8, 0u8, 255u8, 255u8, 0u8, 0u8, 0u8, 255u8, 255u8, 255u8, 0u8, 0u8, 0u8, 0u8, 0u8], [0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8,
--   0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8, 0u8]]
-- }

def clamp lo hi x = i64.max lo (i64.min hi x)
def gauss5 : [5]f32 = map (/ 16) [1, 4, 6, 4, 1]
def at [h][w] (img: [h][w]f32) i j = img[clamp 0 (h - 1) i, clamp 0 (w - 1) j]
def convolve_rows [h][w] (k: [5]f32) (img: [h][w]f32) : [h][w]f32 =
  tabulate_2d h w (\i j -> f32.sum (map2 (\c o -> c * at img i (j + o - 2)) k (iota 5)))
def convolve_cols [h][w] (k: [5]f32) (img: [h][w]f32) : [h][w]f32 =
  tabulate_2d h w (\i j -> f32.sum (map2 (\c o -> c * at img (i + o - 2) j) k (iota 5)))
type direction = #horizontal | #vertical | #up | #down | #none
def gradient [h][w] (img: [h][w]f32) : [h][w](f32, direction) =
  tabulate_2d h w (\i j ->
    let p di dj = at img (i + di) (j + dj)
    let gx = p (-1) 1 + 2 * p 0 1 + p 1 1 - p (-1) (-1) - 2 * p 0 (-1) - p 1 (-1)
    let gy = p 1 (-1) + 2 * p 1 0 + p 1 1 - p (-1) (-1) - 2 * p (-1) 0 - p (-1) 1
    let mag = f32.sqrt (gx * gx + gy * gy)
    let dir = if mag < 0.01 then #none else
      let theta = f32.atan2 gy gx / f32.pi * 8 + 8.5
      let sector = i32.f32 theta % 8
      in if sector == 0 || sector == 4 then #horizontal else if sector == 1 || sector == 5 then #up
         else if sector == 2 || sector == 6 then #vertical else #down
    in (mag, dir))
def thin [h][w] (g: [h][w](f32, direction)) : [h][w]f32 =
  tabulate_2d h w (\i j ->
    let (mag, dir) = g[i, j]
    let other di dj = (g[clamp 0 (h - 1) (i + di), clamp 0 (w - 1) (j + dj)]).0
    let largest a b = if mag >= a && mag > b then mag else 0
    in match dir
       case #none -> 0
       case #horizontal -> largest (other 0 (-1)) (other 0 1)
       case #vertical -> largest (other (-1) 0) (other 1 0)
       case #up -> largest (other (-1) (-1)) (other 1 1)
       case #down -> largest (other (-1) 1) (other 1 (-1)))
entry main [h][w] (low: f32) (high: f32) (rgb: [h][w][3]u8) : [h][w]u8 =
  let grey = map (map (\p -> (0.299 * f32.u8 p[0] + 0.587 * f32.u8 p[1] + 0.114 * f32.u8 p[2]) / 255)) rgb
  let smooth = convolve_cols gauss5 (convolve_rows gauss5 grey)
  let edges = thin (gradient smooth)
  let marks = map (map (\m -> if m >= high then 2u8 else if m >= low then 1 else 0)) edges
  let (marks, _) =
    loop (marks, continue) = (marks, true) while continue do
      let next = tabulate_2d h w (\i j ->
        if marks[i, j] != 1 then marks[i, j]
        else if any (\k -> let (di, dj) = (k / 3 - 1, k % 3 - 1)
                           in marks[clamp 0 (h - 1) (i + di), clamp 0 (w - 1) (j + dj)] == 2) (iota 9) then 2 else 1)
      in (next, or (flatten (map2 (map2 (!=)) marks next)))
  in map (map (\m -> if m == 2 then 255 else 0)) marks
entry mk (n: i64) = (0.1f32, 0.3f32, tabulate_3d n n 3 (\i j k -> let (y, x) = (i % 32 - 16, j % 32 - 16) in
   if x * x + y * y < 60 + 15 * k then u8.i64 (200 + (i * 7 + j * 13) % 30) else u8.i64 ((i + j * j + k * 17) % 60)))
