-- The k nearest records (Rodinia's nn).
-- ==
-- entry: main
-- script input { mk 60i64 }
-- output {
--   [58i32, 7i32, 1i32, 56i32, 34i32, 10i32, 38i32, 18i32, 41i32, 59i32, 57i32, 53i32, 37i32, 42i32, 39i32, 9i32, 22i32, 6i32, 24i32, 11i32,
--   25i32, 0i32, 31i32, 23i32, 48i32, 21i32, 50i32, 36i32, 30i32, 54i32, 33i32, 47i32, 35i32, 12i32, 45i32, 4i32, 2i32, 43i32, 16i32, 15i32,
--   40i32, 19i32, 5i32, 55i32, 28i32, 44i32, 14i32, 32i32, 52i32, 26i32]
--   [0.048097f32, 0.075910f32, 0.077568f32, 0.143722f32, 0.191699f32, 0.196645f32, 0.229229f32, 0.229485f32, 0.252777f32, 0.271191f32,
--   0.273409f32, 0.275410f32, 0.277049f32, 0.277397f32, 0.296836f32, 0.313011f32, 0.319586f32, 0.330434f32, 0.332680f32, 0.333651f32,
--   0.393277f32, 0.407011f32, 0.415675f32, 0.420743f32, 0.422346f32, 0.435183f32, 0.442378f32, 0.447669f32, 0.462643f32, 0.481957f32,
--   0.490413f32, 0.497925f32, 0.527938f32, 0.532754f32, 0.561354f32, 0.567442f32, 0.588645f32, 0.592071f32, 0.610679f32, 0.612106f32,
--   0.614669f32, 0.631194f32, 0.634646f32, 0.634909f32, 0.660253f32, 0.671971f32, 0.672659f32, 0.674808f32, 0.704377f32, 0.720764f32]
-- }

def emptyRecord = (0i32, f32.inf)
entry main [n] (k: i64) (lat: f32) (lng: f32) (lats: [n]f32) (lngs: [n]f32) =
  let distance x y = f32.sqrt ((lat - x) ** 2 + (lng - y) ** 2)
  let distances = map2 distance lats lngs
  let results = replicate k emptyRecord
  let (results, _) = loop (results, distances) for i < k do
    let (d, j) = reduce_comm (\(d1, i1) (d2, i2) -> if d1 < d2 then (d1, i1) else if d2 < d1 then (d2, i2) else if i1 < i2 then (d1, i1) else (d2, i2))
                   (f32.inf, i32.highest) (zip distances (map i32.i64 (iota n)))
    let distances = distances with [j] = f32.inf
    in (results with [i] = (j, d), distances)
  in unzip results
def rndf (i: i64) =
  let x = u32.i64 i * 2654435761u32
  let x = (x ^ (x >> 15)) * 2246822519u32
  in f32.u32 ((x ^ (x >> 13)) >> 8) / 16777216f32
entry mk (n: i64) = (50i64, 0.3f32, 0.7f32, tabulate n rndf, tabulate n (\i -> rndf (i + 5000011)))
