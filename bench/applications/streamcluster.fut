-- The gain step of streamcluster (Rodinia): opens centres at candidates in turn where that makes the whole cheaper.
-- ==
-- entry: main
-- script input { mk 20i64 }
-- output {
--   [5i64, 1i64, 2i64, 13i64, 19i64, 5i64, 1i64, 2i64, 13i64, 19i64, 5i64, 1i64, 2i64, 13i64, 19i64, 5i64, 1i64, 2i64, 13i64, 19i64]
--   3643.958984f32
--   5i64
-- }

type point [d] = {weight: f32, cost: f32, assign: i64, coord: [d]f32}
def dist [d] (a: [d]f32) (b: [d]f32) = f32.sum (map2 (\x y -> (x - y) * (x - y)) a b)

def gain [n][d] (points: [n](point [d])) (x: i64) (z: f32) (is_centre: [n]bool) : (f32, [n](point [d]), [n]bool) =
  let px = #[unsafe] points[x]
  let costs = map (\(p: point [d]) -> dist p.coord px.coord * p.weight) points
  let switch = map2 (\(p: point [d]) c -> c < p.cost) points costs
  let lower = reduce_by_index (replicate n 0f32) (+) 0 (map (\(p: point [d]) -> p.assign) points)
                (map3 (\(p: point [d]) c s -> if s then 0 else c - p.cost) points costs switch)
  let save = f32.sum (map3 (\(p: point [d]) c s -> if s then c - p.cost else 0) points costs switch)
  let close = map3 (\centre l i -> centre && i != x && l < z) is_centre lower (iota n)
  let closing = f32.sum (map2 (\c l -> if c then l - z else 0) close lower)
  let total = save + closing + (if is_centre[x] then 0 else z)
  in if total >= 0 then (0, points, is_centre) else
     let points = map3 (\(p: point [d]) c s -> if s || close[p.assign] then p with cost = c with assign = x else p) points costs switch
     let is_centre = map3 (\i c cl -> i == x || (c && !cl)) (iota n) is_centre close
     in (-total, points, is_centre)

entry main [n][d] (coords: [n][d]f32) (z: f32) (tries: i64) =
  let points = map (\c -> {weight = 1f32, cost = dist c coords[0], assign = 0i64, coord = c}) coords
  let (_, points, is_centre, won) =
    loop (seed, points, is_centre, won) = (17u32, points, tabulate n (== 0), 0f32) for _i < tries do
      let seed = seed * 1664525 + 1013904223
      let (g, points, is_centre) = gain points (i64.u32 (seed >> 8) % n) z is_centre
      in (seed, points, is_centre, won + g)
  in (map (\(p: point [d]) -> p.assign) points, won, i64.sum (map i64.bool is_centre))

def rndf (i: i64) =
  let x = u32.i64 i * 2654435761u32
  let x = (x ^ (x >> 15)) * 2246822519u32
  in f32.u32 ((x ^ (x >> 13)) >> 8) / 16777216f32
entry mk (n: i64) = (tabulate_2d n 32 (\i j -> rndf (i * 32 + j) + f32.i64 (i % 5)), 30f32, 200i64)
