-- Look-ups and range queries in a B+ tree laid out by levels (Rodinia's b+tree).
-- ==
-- entry: main
-- script input { mk 100i64 }
-- output {
--   [0i32, -1i32, -1i32, -1i32, -1i32, 57i32, 16i32, -1i32, 53i32, -1i32]
--   [0i64, 91i64, 31i64, 86i64, 16i64, 42i64, 16i64, 75i64, 46i64, 50i64]
-- }

def order = 16i64
entry main [n][q] (keys: [n]i32) (queries: [q]i32) (ranges: [q]i32) : ([q]i32, [q]i64) =
  -- each level has every order-th key of the one below
  let height = let (h, _) = loop (h, m) = (0, n) while m > order do (h + 1, (m + order - 1) / order) in h
  let find (key: i32) : i64 =
    let stride = order ** height
    let (pos, _) = loop (pos, stride) = (0, stride) while stride > 0 do
      let better = loop best = 0 for j < order do
        let at = pos + j * stride
        in if at < n && keys[at] <= key then j else best
      in (pos + better * stride, stride / order)
    in pos
  in (map (\k -> let p = find k in if keys[p] == k then i32.i64 p else -1) queries,
      map2 (\k r -> find (k + r) - find k) queries ranges)

def rnd (i: i64) : u32 =
  let x = u32.i64 i * 2654435761u32
  let x = (x ^ (x >> 15)) * 2246822519u32
  in (x ^ (x >> 13)) >> 4
def rndf (i: i64) : f32 = f32.u32 (rnd i) / 268435456f32
entry mk (n: i64) = (tabulate n (\i -> i32.i64 (3 * i)), tabulate (n / 10) (\i -> i32.u32 (rnd i % (3 * u32.i64 n))), tabulate (n / 10) (\i -> i32.u32 (rnd i % 1000)))
