-- Connected components by label propagation with pointer jumping (PBBS).
-- ==
-- entry: main
-- script input { mk 30i64 }
-- output {
--   [0i64, 0i64, 0i64, 0i64, 0i64, 5i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 14i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64,
--   22i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 5i64]
-- }

entry main [m] (n: i64) (us: [m]i64) (vs: [m]i64) : [n]i64 =
  let (labels, _) =
    loop (labels, changed) = (iota n, true) while changed do
      let hooked = reduce_by_index (copy labels) i64.min i64.highest (map (\u -> labels[u]) us) (map (\v -> labels[v]) vs)
      let hooked = reduce_by_index hooked i64.min i64.highest (map (\v -> labels[v]) vs) (map (\u -> labels[u]) us)
      let jumped = loop l = hooked for _i < 3i32 do map (\x -> l[x]) l
      in (jumped, !(and (map2 (==) labels jumped)))
  in labels

def rnd (i: i64) : u32 =
  let x = u32.i64 i * 2654435761u32
  let x = (x ^ (x >> 15)) * 2246822519u32
  in (x ^ (x >> 13)) >> 4
def rndf (i: i64) : f32 = f32.u32 (rnd i) / 268435456f32
entry mk (n: i64) = (n, tabulate n (\i -> i64.u32 (rnd i) % n), tabulate n (\i -> i64.u32 (rnd (i + 77777)) % n))
