-- Sparse matrix by vector with repeated random triples (JGF's sparsematmult), by reduce_by_index.
-- ==
-- entry: main
-- script input { mk 12i64 }
-- output {
--   [31.969846746007544f64, 24.202205760317106f64, 52.545857906468122f64, 48.587953613823892f64, 58.138774592101939f64, 31.540485573443696f64,
--   12.150247434519205f64, 24.242843355682950f64, 14.966075314233862f64, 22.082183790227255f64, 19.009406222468336f64, 13.142054034757042f64]
--   352.577934344051016f64
-- }

entry main [nz][n] (rows: [nz]i32) (cols: [nz]i32) (vals: [nz]f64) (x: [n]f64) (times: i32) =
  let y = loop y = replicate n 0f64 for _t < times do
    reduce_by_index y (+) 0 (map i64.i32 rows) (map2 (\c v -> x[c] * v) cols vals)
  in (y, f64.sum y)

def rnd (i: i64) : u32 =
  let x = u32.i64 i * 2654435761u32
  let x = (x ^ (x >> 15)) * 2246822519u32
  in (x ^ (x >> 13)) >> 4
def rndf (i: i64) : f32 = f32.u32 (rnd i) / 268435456f32
entry mk (n: i64) = let k = 5 * n in (tabulate k (\i -> i32.u32 (rnd i % u32.i64 n)), tabulate k (\i -> i32.u32 (rnd (i + 99) % u32.i64 n)),
  tabulate k (\i -> f64.f32 (rndf i)), tabulate n (\i -> f64.f32 (rndf (i + 7))), 20i32)
