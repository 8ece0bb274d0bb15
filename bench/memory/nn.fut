-- The k nearest neighbours of a point, as Rodinia's `nn` finds them: k times the nearest of the points that are left, which is
-- then taken out. Each round writes one place of the two result arrays.
--
--   echo 855280i64 100i64 | fun run -e bench bench/memory/nn.fut
-- ==
-- input { 2i64 30f32 90f32 [29f32, 31f32, 30.5f32, 10f32] [90f32, 92f32, 90f32, 10f32] }
-- output { [2i64, 0i64] [0.5f32, 1f32] }

-- The nearer of two points, each an index and a distance; of equally near ones the first.
def nearer (i: i64, d: f32) (j: i64, e: f32): (i64, f32) =
  if d < e || d == e && i < j then (i, d) else (j, e)

def nearest [n] (k: i64) (lat: f32) (lng: f32) (lats: [n]f32) (lngs: [n]f32): ([k]i64, [k]f32) =
  let distances = map2 (\y x -> f32.sqrt ((y - lat) * (y - lat) + (x - lng) * (x - lng))) lats lngs
  let (found, far, _) =
    loop (found, far, distances) = (replicate k (-1i64), replicate k 0f32, distances) for r < k do
      let (i, d) = reduce_comm nearer (i64.highest, f32.inf) (zip (indices distances) distances)
      let found[r] = i
      let far[r] = d
      let distances[i] = f32.inf
      in (found, far, distances)
  in (found, far)

entry main [n] (k: i64) (lat: f32) (lng: f32) (lats: [n]f32) (lngs: [n]f32): ([k]i64, [k]f32) =
  nearest k lat lng lats lngs

-- A point is among the nearest at the place that says how many others are nearer.
def by_rank [n] (k: i64) (lat: f32) (lng: f32) (lats: [n]f32) (lngs: [n]f32): [k]i64 =
  let distances = map2 (\y x -> f32.sqrt ((y - lat) * (y - lat) + (x - lng) * (x - lng))) lats lngs
  let before i j = distances[j] < distances[i] || distances[j] == distances[i] && j < i
  let rank i = i64.sum (map (\j -> i64.bool (before i j)) (iota n))
  in scatter (replicate k (-1)) (map rank (iota n)) (iota n)

-- A number between 0 and 1 for each index: the hash of the index, the same everywhere.
def random (seed: u32) (i: i64): f32 =
  let x = u32.i64 i * 747796405 + seed * 2891336453 + 1
  let x = (x ^ (x >> 16)) * 0x7feb352d
  let x = (x ^ (x >> 15)) * 0x846ca68b
  in f32.u32 ((x ^ (x >> 16)) >> 8) / 16777216

def latitudes (n: i64): [n]f32 = tabulate n (\i -> 7 + 56 * random 1 i)
def longitudes (n: i64): [n]f32 = tabulate n (\i -> 358 * random 2 i)

-- Against the ranks.
-- ==
-- entry: test
-- input { 5i64 100i64 } output { true }
-- input { 1i64 1i64 } output { true }
-- input { 40i64 40i64 } output { true }
-- input { 0i64 3i64 } output { true }

entry test (k: i64) (n: i64): bool =
  let (found, far) = nearest k 30 90 (latitudes n) (longitudes n)
  let wanted = by_rank k 30 90 (latitudes n) (longitudes n)
  in and (map2 (==) found wanted) && and (map (\r -> r == 0 || far[r - 1] <= far[r]) (iota k))

entry bench (n: i64) (k: i64): (i64, f32) =
  let (found, far) = nearest k 30 90 (latitudes n) (longitudes n)
  in (i64.sum found, f32.sum far)
