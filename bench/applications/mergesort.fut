-- Batcher's odd-even merge sort of records by a key.
-- ==
-- entry: main
-- script input { mk 13i64 }
-- output {
--   [0.000000f32, 0.033756f32, 0.057861f32, 0.058238f32, 0.058441f32, 0.187078f32, 0.202439f32, 0.363580f32, 0.373904f32, 0.576063f32,
--   0.831940f32, 0.839689f32, 0.897234f32]
--   [0i64, 11i64, 12i64, 6i64, 3i64, 4i64, 10i64, 1i64, 7i64, 9i64, 2i64, 5i64, 8i64]
-- }

type record = {key: f32, value: i64}
def (<=.) (a: record) (b: record) = a.key < b.key || (a.key == b.key && a.value <= b.value)
def log2 (n: i64) = let (r, _) = loop (r, i) = (0i64, 1i64) while i < n do (r + 1, i * 2) in r
entry main [n] (keys: [n]f32) : ([n]f32, [n]i64) =
  let k = log2 n
  let padding = 1 << k
  let recs = map2 (\key value : record -> {key, value}) keys (iota n) ++ replicate (padding - n) {key = f32.inf, value = i64.highest}
  let recs =
    loop recs for p < k do
      loop recs for q < p + 1 do
        let d = 1 << (p - q)
        in tabulate (length recs) (\i ->
             let a = recs[i]
             let up = ((i >> p) >> 1) & 1 == 0
             let partner = i ^ d
             let b = recs[partner]
             let low = i < partner
             in if (a <=. b) == (low == up) then a else b)
  in unzip (map (\r -> (r.key, r.value)) (take n recs))

def rnd (i: i64) : u32 =
  let x = u32.i64 i * 2654435761u32
  let x = (x ^ (x >> 15)) * 2246822519u32
  in (x ^ (x >> 13)) >> 4
def rndf (i: i64) : f32 = f32.u32 (rnd i) / 268435456f32
entry mk (n: i64) = tabulate n rndf
