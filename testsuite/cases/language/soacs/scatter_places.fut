-- case: run ( [4i64,-1i64,6i64,0i64,3i64] )
-- Scatters whose places differ: kept elements, by flags that are counted or computed again, every second place, from the end, the place itself; and places that do not: halves,
-- what is kept by other flags than were counted, and what is not kept moved into the array.
def main [n] (xs: [n]i64) =
  let flags = map (> 0) xs
  let counted = scan (+) 0 (map i64.bool flags)
  let kept = scatter (replicate n 0) (map2 (\f i -> if f then i - 1 else -1) flags counted) xs
  let ones = scan (+) 0 (map (\x -> if x % 2 == 0 then 1 else 0) xs)
  let even = scatter (replicate (2 * n) 0) (map2 (\x i -> if x % 2 == 0 then i + 2 else -1) xs ones) xs
  let seconds = scatter (replicate (2 * n + 1) 0) (map (\i -> 2 * i + 1) (iota n)) xs
  let turned = scatter (replicate n 0) (map (\i -> n - 1 - i) (iota n)) xs
  let same = scatter (replicate n 0) (iota n) xs
  let halves = scatter (replicate n 0) (map (/ 2) (iota n)) xs
  let others = scatter (replicate n 0) (map2 (\x i -> if x >= 0 then i - 1 else -1) xs counted) xs
  let moved = scatter (replicate (n + 1) 0) (map2 (\f i -> 1 + if f then i - 1 else -1) flags counted) xs
  let (low, high) = partition (< 3) xs
  in (filter (>= 3) xs, low, high, kept, even, seconds, turned, same, halves, others, moved)
-- ---
-- [4i64, 6i64, 3i64]
-- [-1i64, 0i64]
-- [4i64, 6i64, 3i64]
-- [4i64, 6i64, 3i64, 0i64, 0i64]
-- [0i64, 0i64, 0i64, 4i64, 6i64, 0i64, 0i64, 0i64, 0i64, 0i64]
-- [0i64, 4i64, 0i64, -1i64, 0i64, 6i64, 0i64, 0i64, 0i64, 3i64, 0i64]
-- [3i64, 0i64, 6i64, -1i64, 4i64]
-- [4i64, -1i64, 6i64, 0i64, 3i64]
-- [-1i64, 0i64, 3i64, 0i64, 0i64]
-- [4i64, 0i64, 3i64, 0i64, 0i64]
-- [0i64, 4i64, 6i64, 3i64, 0i64, 0i64]
