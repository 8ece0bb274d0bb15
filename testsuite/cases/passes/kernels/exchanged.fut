-- case: run main ( [[1i64, 2i64, 3i64], [4i64, 5i64, 6i64], [7i64, 8i64, 9i64], [2i64, 0i64, 1i64]] 3i64 )
-- Loops in order around maps: sums of rows; two arrays that do not read each other; sums of matrices; what must stay, as elements read their neighbours, another array
-- that is written, or a cell that all write; rounds of which there are none; an element that a round reads turned round.
entry main [n] [m] (a: [n][m]i64) (k: i64) =
  let sums = loop s = replicate m 0 for i < n do map2 (+) s a[i]
  let (low, high) = loop (l, h) = (replicate m 100, replicate m 0) for i < n do (map2 i64.min l a[i], map2 (\x y -> (x * 3 + y) % 50) h a[i])
  let squares = loop s = replicate k (replicate m 0) for i < n do map (map2 (+) a[i]) (map (map (* 2)) s)
  let turned = loop s = copy a[0] for i < n do map2 (\x y -> x + 2 * y) (rotate 1 s) a[i]
  let (x, y) = loop (x, y) = (copy a[0], copy a[1]) for i < n do (map2 (+) x a[i], map2 (-) y x)
  let none = loop s = copy a[1] for _i < k - k do map (+ 1) s
  let backwards = loop s = copy a[2] for i < n do map2 (\p q -> p * 2 - q) (reverse s) a[i]
  let in_maps = map (\r -> loop s = copy r for i < n do map2 (\p q -> (p + q * i) % 1000) s a[i]) a
  in (sums, low, high, squares, turned, x, y, none, backwards, in_maps)
-- ---
-- [14i64, 15i64, 19i64]
-- [1i64, 0i64, 1i64]
-- [36i64, 23i64, 13i64]
-- [[40i64, 52i64, 67i64], [40i64, 52i64, 67i64], [40i64, 52i64, 67i64]]
-- [36i64, 33i64, 33i64]
-- [15i64, 17i64, 22i64]
-- [-18i64, -27i64, -36i64]
-- [4i64, 5i64, 6i64]
-- [52i64, 76i64, 97i64]
-- [[25i64, 23i64, 30i64], [28i64, 26i64, 33i64], [31i64, 29i64, 36i64], [26i64, 21i64, 28i64]]
