-- k-means in the plane. The first k points are the first centres. They are moved once to the mean of the points that are
-- closest to them, then again for as long as some coordinate moved by more than 0.01.
--
--   fun run examples/kmeans.fut < ../shared/data/kmeans/trivial.in
--
-- The results are the centres and how often the loop ran after the first move.
-- ==
-- input { 2 [[0f32, 0f32], [10f32, 10f32], [0f32, 2f32], [10f32, 12f32]] }
-- output { [[0f32, 1f32], [10f32, 11f32]] 1i32 }

def square (x: f32) = x * x

def closest [k] (centres: [k][2]f32) (p: [2]f32): i64 =
  let distances = map (\c -> square (p[0] - c[0]) + square (p[1] - c[1])) centres
  let better (i, a) (j, b) = if b < a || (b == a && j < i) then (j, b) else (i, a)
  in (reduce better (0, f32.inf) (zip (iota k) distances)).0

def move_centres [k] [n] (points: [n][2]f32) (centres: [k][2]f32): [k][2]f32 =
  let nearest = map (closest centres) points
  let counts = reduce_by_index (replicate k 0i32) (+) 0 nearest (replicate n 1)
  let xs = reduce_by_index (replicate k 0f32) (+) 0 nearest points[:, 0]
  let ys = reduce_by_index (replicate k 0f32) (+) 0 nearest points[:, 1]
  let mean sum count = if count == 0 then 0 else sum / f32.i32 count
  in map3 (\x y count -> [mean x count, mean y count]) xs ys counts

def main [n] (k: i32) (points: [n][2]f32): ([][2]f32, i32) =
  let first = points[:i64.i32 k]
  let moved a b = any (\d -> f32.abs d > 0.01) (map2 (-) (flatten a) (flatten b))
  let (centres, _, rounds) =
    loop (centres, before, rounds) = (move_centres points first, first, 0i32) while moved centres before do
      (move_centres points centres, centres, rounds + 1)
  in (centres, rounds)
