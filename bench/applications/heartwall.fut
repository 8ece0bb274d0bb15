-- Tracking by normalised correlation of templates in moving frames (a part of Rodinia's heartwall).
-- ==
-- entry: main
-- script input { mk 3i64 }
-- output {
--   [44i64, 81i64, 118i64]
--   [48i64, 101i64, 154i64]
-- }

def tsize = 11i64
def wsize = 31i64
def out = wsize - tsize + 1
def track [h][w] (frame: [h][w]f32) (template: [tsize][tsize]f32) (r: i64, c: i64) : (i64, i64) =
  let clampr x = i64.max 0 (i64.min (h - wsize) x)
  let clampc x = i64.max 0 (i64.min (w - wsize) x)
  let r0 = clampr (r - wsize / 2)
  let c0 = clampc (c - wsize / 2)
  let window = frame[r0:r0 + wsize, c0:c0 + wsize] :> [wsize][wsize]f32
  let tmean = f32.sum (flatten template) / f32.i64 (tsize * tsize)
  let tdev = map (map (\v -> v - tmean)) template
  let tnorm = f32.sqrt (f32.sum (map (** 2) (flatten tdev)))
  let pad (m: [wsize][wsize]f32) =
    let rows = map (scan (+) 0) m
    in transpose (map (scan (+) 0) (transpose rows))
  let cum = pad window
  let cum2 = pad (map (map (** 2)) window)
  let area (m: [wsize][wsize]f32) i j =
    let get a b = if a < 0 || b < 0 then 0 else m[a, b]
    in get (i + tsize - 1) (j + tsize - 1) - get (i - 1) (j + tsize - 1) - get (i + tsize - 1) (j - 1) + get (i - 1) (j - 1)
  let score i j =
    let cross = f32.sum (map2 (\trow a -> f32.sum (map2 (*) trow (window[i + a, j:j + tsize] :> [tsize]f32))) tdev (iota tsize))
    let s = area cum i j
    let s2 = area cum2 i j
    let norm = f32.sqrt (f32.max 1e-6 (s2 - s * s / f32.i64 (tsize * tsize)))
    in cross / (norm * tnorm)
  let scores = tabulate_2d out out score
  let (_, best) = reduce_comm (\(v1, i1) (v2, i2) -> if v1 > v2 || (v1 == v2 && i1 < i2) then (v1, i1) else (v2, i2))
                              (-f32.inf, i64.highest) (zip (flatten scores) (iota (out * out)))
  in (r0 + best / out + tsize / 2, c0 + best % out + tsize / 2)
entry main [k][h][w][n] (frames: [k][h][w]f32) (rows: [n]i64) (cols: [n]i64) =
  let points = zip rows cols
  let templates = map (\(r, c) -> frames[0, r - tsize / 2:r - tsize / 2 + tsize, c - tsize / 2:c - tsize / 2 + tsize] :> [tsize][tsize]f32) points
  let final = loop (points, templates) for i < k - 1 do
    let frame = frames[i + 1]
    let points = map2 (track frame) templates points
    let templates = map2 (\t (r, c) -> tabulate_2d tsize tsize (\a b ->
      let y = i64.max 0 (i64.min (h - 1) (r + a - tsize / 2))
      let x = i64.max 0 (i64.min (w - 1) (c + b - tsize / 2))
      in 0.9 * t[a, b] + 0.1 * frame[y, x])) templates points
    in (points, templates)
  in unzip final.0

def rnd (i: i64) : u32 =
  let x = u32.i64 i * 2654435761u32
  let x = (x ^ (x >> 15)) * 2246822519u32
  in (x ^ (x >> 13)) >> 4
def rndf (i: i64) : f32 = f32.u32 (rnd i) / 268435456f32
entry mk (n: i64) = (tabulate_3d 5 256 256 (\k i j -> rndf ((i - k) * 300 + (j - 2 * k) + 5000)), tabulate n (\i -> 40 + (i * 37) % 170), tabulate n (\i -> 40 + (i * 53) % 170))
