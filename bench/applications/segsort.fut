-- Quicksort by segments: flat partitioning of all segments at once.
-- ==
-- entry: main
-- script input { mk 30i64 }
-- output {
--   [0i32, 10869i32, 57089i32, 61200i32, 64014i32, 133512i32, 133582i32, 194636i32, 213423i32, 218450i32, 322306i32, 341829i32, 350791i32,
--   369223i32, 388008i32, 402171i32, 446234i32, 532007i32, 597826i32, 633048i32, 635748i32, 687640i32, 759148i32, 765715i32, 833392i32,
--   849459i32, 858588i32, 950875i32, 958622i32, 973317i32]
-- }

def sgm_scan 't [n] (op: t -> t -> t) (ne: t) (flags: [n]bool) (vals: [n]t) : [n]t =
  scan (\(f1, v1) (f2, v2) -> (f1 || f2, if f2 then v2 else op v1 v2)) (false, ne) (zip flags vals) |> unzip |> (.1)
def replicated_iota [n] (reps: [n]i64) : []i64 =
  let ends = scan (+) 0 reps
  let total = if n == 0 then 0 else ends[n - 1]
  let starts = map2 (-) ends reps
  let marks = reduce_by_index (replicate total 0) i64.max 0 (map2 (\s r -> if r == 0 then -1 else s) starts reps) (iota n)
  in sgm_scan (+) 0 (map (> 0) marks) marks
def step [n][k] (xs: *[n]i32) (segs: [k](i64, i64)) : (*[n]i32, [](i64, i64)) =
  let lens = map (\(s, e) -> e - s) segs
  let total = i64.sum lens
  let owners = replicated_iota lens :> [total]i64
  let offsets = scan (+) 0 lens |> map2 (\l e -> e - l) lens
  let at = map2 (\o i -> segs[o].0 + i - offsets[o]) owners (iota total)
  let vals = map (\i -> xs[i]) at
  let pivots = map (\(s, e) -> xs[(s + e) / 2]) segs
  let class = map2 (\v o -> if v < pivots[o] then 0i8 else if v == pivots[o] then 1 else 2) vals owners
  let flags = map2 (\i o -> i == offsets[o]) (iota total) owners
  let counts = sgm_scan (\(a, b, c) (d, e, f) -> (a + d, b + e, c + f)) (0i64, 0i64, 0i64) flags
                 (map (\c -> match c case 0i8 -> (1, 0, 0) case 1i8 -> (0, 1, 0) case _ -> (0, 0, 1)) class)
  let totals = map2 (\o l -> counts[o + l - 1]) offsets lens
  let dest = map3 (\o c (a, b, d) ->
    let (ta, tb, _) = totals[o]
    let s = segs[o].0
    in match c case 0i8 -> s + a - 1 case 1i8 -> s + ta + b - 1 case _ -> s + ta + tb + d - 1) owners class counts
  let xs = scatter xs dest vals
  let new = map2 (\(s, e) (ta, tb, _) -> [(s, s + ta), (s + ta + tb, e)]) segs totals |> flatten
  in (xs, filter (\(s, e) -> e - s > 1) new)
entry main [n] (xs: [n]i32) : [n]i32 =
  let (xs, _) = loop (xs, segs) = (copy xs, if n > 1 then [(0, n)] else []) while length segs > 0 do step xs segs
  in xs

def rnd (i: i64) : u32 =
  let x = u32.i64 i * 2654435761u32
  let x = (x ^ (x >> 15)) * 2246822519u32
  in (x ^ (x >> 13)) >> 4
def rndf (i: i64) : f32 = f32.u32 (rnd i) / 268435456f32
entry mk (n: i64) = tabulate n (\i -> i32.u32 (rnd i % 1000000))
