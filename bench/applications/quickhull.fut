-- Convex hulls by quickhull, flat over all segments (PBBS, Accelerate).
-- ==
-- entry: main
-- script input { mk 50i64 }
-- output {
--   [34i64, 11i64, 10i64, 29i64, 1i64, 27i64, 36i64, 26i64, 23i64, 8i64]
-- }

type point = {x: f32, y: f32}
def cross (a: point) (b: point) (p: point) = (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x)
entry main [n] (xs: [n]f32) (ys: [n]f32) : []i64 =
  let points = map2 (\x y : point -> {x, y}) xs ys
  let less i j = points[i].x < points[j].x || (points[i].x == points[j].x && points[i].y < points[j].y)
  let lo = reduce (\i j -> if less j i then j else i) 0 (iota n)
  let hi = reduce (\i j -> if less i j then j else i) 0 (iota n)
  let side a b = filter (\i -> cross points[a] points[b] points[i] > 0) (iota n)
  let above = side lo hi
  let below = side hi lo
  -- segments: (from, to); candidates with the segment that they are left of
  let (_, hull, _, _) =
    loop (segs, hull, cand, owner) =
      ([(lo, hi), (hi, lo)], [lo, hi], above ++ below, map (const 0i64) above ++ map (const 1i64) below)
    while length cand > 0 do
      let k = length segs
      let dist = map2 (\i s -> let (a, b) = segs[s] in cross points[a] points[b] points[i]) cand owner
      let best = reduce_by_index (replicate k (-1f32, -1i64)) (\(d1, i1) (d2, i2) -> if d1 > d2 || (d1 == d2 && i1 > i2) then (d1, i1) else (d2, i2))
                   (-1, -1) owner (zip dist cand)
      let far = map (.1) best
      let segs = segs :> [k](i64, i64)
      let found = filter (>= 0) far
      let segs' = map2 (\(a, b) f -> [(a, f), (f, b)]) segs far |> flatten
      let placed = map2 (\i s ->
        let f = far[s]
        let (a, b) = segs[s]
        in if i == f then (-1, i) else if cross points[a] points[f] points[i] > 0 then (2 * s, i)
           else if cross points[f] points[b] points[i] > 0 then (2 * s + 1, i) else (-1, i)) cand owner
      let (owner, cand) = unzip (filter (\(s, _) -> s >= 0) placed)
      -- segments without candidates are dropped
      let used = reduce_by_index (replicate (k * 2) 0i64) i64.max 0 owner (map (const 1) owner)
      let renum = map2 (-) (scan (+) 0 used) used
      let segs'' = map (.1) (filter (\(u, _) -> u == 1) (zip used (segs' :> [k * 2](i64, i64))))
      in (segs'', hull ++ found, cand, map (\s -> renum[s]) owner)
  in hull

def rnd (i: i64) : u32 =
  let x = u32.i64 i * 2654435761u32
  let x = (x ^ (x >> 15)) * 2246822519u32
  in (x ^ (x >> 13)) >> 4
def rndf (i: i64) : f32 = f32.u32 (rnd i) / 268435456f32
entry mk (n: i64) = unzip (tabulate n (\i -> let a = rndf i * 6.28 let r = f32.sqrt (rndf (i + 99999)) in (r * f32.cos a, r * f32.sin a)))
