-- case: run ([[1, 2, 3], [4, 5, 6]] [1i64, 3, 1] [[1, 2], [3, 4], [5, 6]])
-- Operators that combine rows element by element, two dimensions deep too; an index that is outside drops its row.
entry main [n][m][l] (a: [n][m]i32) (is: [l]i64) (b: [l][2]i32) =
  let sums = reduce (map2 (+)) (replicate m 0) a
  let prefixes = scan (map2 (*)) (replicate m 1) a
  let cells = reduce_by_index (replicate 2 [10, 20]) (map2 (+)) [0, 0] is b
  let same = reduce_by_index (replicate 2 (replicate 2 10)) (map2 (+)) (replicate 2 0) is b
  let deep = reduce (map2 (map2 i32.max)) (replicate m (replicate 2 i32.lowest)) (map (map (\x -> [x, -x])) a)
  in (sums, prefixes, cells, same, deep)
-- ---
-- [5i32, 7i32, 9i32]
-- [[1i32, 2i32, 3i32], [4i32, 10i32, 18i32]]
-- [[10i32, 20i32], [16i32, 28i32]]
-- [[10i32, 10i32], [16i32, 18i32]]
-- [[4i32, -1i32], [5i32, -2i32], [6i32, -3i32]]
