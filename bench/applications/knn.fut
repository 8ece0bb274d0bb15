-- Nearest neighbours: points sorted by one coordinate, and a walk outwards from the place of the query.
-- ==
-- entry: main
-- script input { mk 40i64 }
-- output {
--   [[0.014731f32, 0.042950f32, 0.056411f32, 0.056677f32, 0.057669f32, 0.060742f32, 0.063757f32, 0.071119f32], [0.027162f32, 0.065086f32,
--   0.079219f32, 0.123392f32, 0.125132f32, 0.179969f32, 0.181794f32, 0.191088f32]]
--   [[17i32, 32i32, 10i32, 27i32, 29i32, 12i32, 39i32, 18i32], [11i32, 35i32, 7i32, 16i32, 22i32, 33i32, 8i32, 34i32]]
-- }

def dims = 3i64
type tree [n] = {points: [n][dims]f32, ids: [n]i32}
def radix_sort [n] (keys: [n]u32) (vals: [n]i32) : ([n]u32, [n]i32) =
  loop (keys, vals) for b < 32i32 do
    let bits = map (\k -> i64.u32 ((k >> u32.i32 b) & 1)) keys
    let neg = map (1 -) bits
    let ps0 = scan (+) 0 neg
    let ps1 = scan (+) 0 bits
    let zeros = ps0[n - 1]
    let pos = map3 (\bit p0 p1 -> if bit == 0 then p0 - 1 else zeros + p1 - 1) bits ps0 ps1
    in (scatter (copy keys) pos keys, scatter (copy vals) pos vals)
def build [n] (points: [n][dims]f32) : tree [n] =
  let keys = map (\p -> u32.f32 (p[0] * 1e9)) points
  let (_, ids) = radix_sort keys (map i32.i64 (iota n))
  in {points = map (\i -> points[i]) ids, ids}
def insert [k] (ds: *[k]f32) (is: *[k]i32) (d: f32) (i: i32) : (*[k]f32, *[k]i32) =
  let (ds, is, _, _) = loop (ds, is, d, i) for j < k do
    if d < ds[j] then let (d', i') = (ds[j], is[j]) in (ds with [j] = d, is with [j] = i, d', i') else (ds, is, d, i)
  in (ds, is)
entry main [n][m] (k: i64) (points: [n][dims]f32) (queries: [m][dims]f32) =
  let t = build points
  let search (q: [dims]f32) =
    -- the first coordinate is sorted: walk outwards from the place of the query
    let (start, _) = loop (lo, hi) = (0, n) while lo < hi do
      let mid = (lo + hi) / 2
      in if t.points[mid, 0] < q[0] then (mid + 1, hi) else (lo, mid)
    let (ds, is, _, _) =
      loop (ds, is, lo, hi) = (replicate k f32.inf, replicate k (-1i32), start - 1, start)
      while (lo >= 0 && (q[0] - t.points[lo, 0]) ** 2 < ds[k - 1]) || (hi < n && (t.points[hi, 0] - q[0]) ** 2 < ds[k - 1]) do
        let use_lo = lo >= 0 && (hi >= n || q[0] - t.points[lo, 0] <= t.points[hi, 0] - q[0])
        let i = if use_lo then lo else hi
        let d = f32.sum (map2 (\a b -> (a - b) ** 2) q t.points[i])
        let (ds, is) = if d < ds[k - 1] then insert ds is d t.ids[i] else (ds, is)
        in (ds, is, if use_lo then lo - 1 else lo, if use_lo then hi else hi + 1)
    in (ds, is)
  in map search queries |> unzip

def rnd (i: i64) : u32 =
  let x = u32.i64 i * 2654435761u32
  let x = (x ^ (x >> 15)) * 2246822519u32
  in (x ^ (x >> 13)) >> 4
def rndf (i: i64) : f32 = f32.u32 (rnd i) / 268435456f32
entry mk (n: i64) = (8i64, tabulate_2d n dims (\i j -> rndf (i * 3 + j)), tabulate_2d (n / 20) dims (\i j -> rndf (i * 3 + j + 1000003)))
