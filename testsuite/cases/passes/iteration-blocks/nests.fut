-- case: run main ( 3i64 7i64 [[1f32, 2f32, 3f32, 4f32, 5f32], [2f32, 0f32, 3f32, 1f32, 4f32]] [4i64, 0i64, 2i64] )
-- Iterations with maps in loops of their own: a scalar that is read from memory between two maps; cells that are written one by one, with a scalar beside; a
-- sum and a scan; arrays that a loop allocates; rows at a place that is read from memory; an array of constant size; a branch around maps; a number that a
-- search gives; iterations whose maps have no points.
entry main [n] [m] (k: i64) (size: i64) (xs: [n][m]f32) (at: [k]i64) =
  let stepped = map (\r -> loop r for i < size do
                       let t = map (\x -> x * 0.5 + f32.i64 i) r
                       let s = t[0]
                       in map2 (\a b -> a + s * b) (rotate 1 t) r) xs
  let counted = tabulate k (\i ->
    let (a, c) = loop (a, c) = (tabulate size (\j -> i + j), 0) for l < size do
      let v = a[l]
      let a = a with [(l + v) % size] = c
      in (map (\x -> (x + v) % 100) a, c + v)
    in i64.sum a + c)
  let scanned = tabulate k (\i -> loop a = tabulate size (\j -> i * j) for l < 3 do
                              let s = i64.sum a
                              in map2 (\x y -> (x - y + s) % 1000) (scan (+) 0 a) (reverse a))
  let table = tabulate_2d size m (\i j -> i * 10 + j)
  let gathered = map (\p -> loop (row, p) = (table[p], p) for l < 3 do
                              let q = (p + row[l]) % size
                              in (map2 (+) row table[q], q)) at
  let small = map (\p -> loop a = [p, 1, 2] for l < size do
                           let b = map (\x -> x + a[1]) a
                           in if l % 2 == 0 then map (% 17) (reverse b) else b with [l % 3] = p) at
  let branched = tabulate k (\i -> loop a = replicate size i for l < 4 do
                               if l > i then map (\x -> x * 2 + l) a else a with [l] = 7)
  let found = map (\p -> loop (a, best) = (iota size, -1) for l < 3 do
                           let first = loop f = 0 while f < size && a[f] < p + l do f + 1
                           in (map (\x -> x + first) a, i64.max best first)) at
  let empty = map (\p -> loop a = replicate (k - k) p for l < 2 do map (+ l) a) at
  in (stepped, counted, scanned, gathered, small, branched, map (.1) found, map length empty)
-- ---
-- [[2.1373294e19f32, 2.9923759e19f32, 3.7820407e19f32, 3.9488226e19f32, 2.730866e19f32], [2.9898008e20f32, 3.1983565e20f32, 4.8084944e20f32, 4.939952e20f32, 5.6637842e20f32]]
-- [442i64, 237i64, 234i64]
-- [[0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64], [500i64, 723i64, 966i64, 233i64, 529i64, 860i64, 233i64], [0i64, 446i64, 932i64, 466i64, 58i64, 720i64, 466i64]]
-- [[70i64, 74i64, 78i64, 82i64, 86i64], [20i64, 24i64, 28i64, 32i64, 36i64], [80i64, 84i64, 88i64, 92i64, 96i64]]
-- [0i64, 0i64, 0i64]
-- [[0i64, 9i64, 10i64], [0i64, 0i64, 5i64], [0i64, 13i64, 16i64]]
-- [[67i64, 11i64, 11i64, 11i64, 11i64, 11i64, 11i64], [35i64, 35i64, 11i64, 11i64, 11i64, 11i64, 11i64], [17i64, 17i64, 17i64, 7i64, 7i64, 7i64, 7i64]]
-- [4i64, 1i64, 2i64]
-- [0i64, 0i64, 0i64]
