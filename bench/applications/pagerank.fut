-- Page rank over links sorted by target, by segmented reduction; sinks give to all.
-- ==
-- entry: main
-- script input { mk 20i64 }
-- output {
--   [0.011281f32, 0.017045f32, 0.030591f32, 0.059695f32, 0.087726f32, 0.027877f32, 0.011281f32, 0.130746f32, 0.031681f32, 0.046153f32,
--   0.105998f32, 0.011281f32, 0.091891f32, 0.019614f32, 0.027195f32, 0.040336f32, 0.078130f32, 0.071238f32, 0.088961f32, 0.011281f32]
-- }

type link = {from: i32, to: i32}
def segmented_reduce 't [n] (op: t -> t -> t) (ne: t) (flags: [n]bool) (as: [n]t) : []t =
  let as' = (scan (\(x, fx) (y, fy) -> (if fy then y else x `op` y, fx || fy)) (ne, false) (zip as flags)) |> map (.0)
  let offsets = scan (+) 0 (map i64.bool (rotate 1 flags))
  let k = if n > 0 then offsets[n - 1] else 0
  let offsets = map2 (\f o -> if f then o - 1 else -1) (rotate 1 flags) offsets
  in scatter (replicate k ne) offsets as'
entry main [m] (n: i64) (froms: [m]i32) (tos: [m]i32) (iterations: i32) : [n]f32 =
  let links = map2 (\f t : link -> {from = f, to = t}) froms tos
  let out = reduce_by_index (replicate n 0i32) (+) 0 (map (\l -> i64.i32 l.from) links) (map (const 1) links)
  let flags = map2 (\i (l: link) -> i == 0 || l.to != links[i - 1].to) (indices links) links
  let targets_n = i64.sum (map i64.bool flags)
  let targets = map (.1) (filter (.0) (zip flags (map (\(l: link) -> l.to) links))) :> [targets_n]i32
  let damping = 0.85f32
  in loop ranks = replicate n (1 / f32.i64 n) for _i < iterations do
       let dangling = f32.sum (map2 (\r o -> if o == 0 then r else 0) ranks out) / f32.i64 n
       let shares = map (\(l: link) -> ranks[l.from] / f32.i32 out[l.from]) links
       let sums = segmented_reduce (+) 0 flags shares
       let received = scatter (replicate n 0) (map i64.i32 targets) (sums :> [targets_n]f32)
       in map (\r -> (1 - damping) / f32.i64 n + damping * (r + dangling)) received

def rnd (i: i64) : u32 =
  let x = u32.i64 i * 2654435761u32
  let x = (x ^ (x >> 15)) * 2246822519u32
  in (x ^ (x >> 13)) >> 4
def rndf (i: i64) : f32 = f32.u32 (rnd i) / 268435456f32
entry mk (n: i64) =
  let degrees = tabulate n (\i -> i32.u32 (rnd i % 12))
  let ends = scan (+) 0 degrees
  let m = i64.i32 (last ends)
  let marks = scatter (replicate m 0i32) (map2 (\e d -> if d > 0 then i64.i32 (e - d) else -1) ends degrees) (map i32.i64 (iota n))
  in (n, tabulate m (\i -> i32.u32 (rnd (i + 5) % u32.i64 n)), scan i32.max 0 marks, 10i32)
