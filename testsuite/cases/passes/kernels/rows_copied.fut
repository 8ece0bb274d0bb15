-- case: run main ( 3i64 [[1i32, 2i32, 3i32, 4i32], [5i32, 6i32, 7i32, 8i32], [9i32, 10i32, 11i32, 12i32]] )
-- Rows that are put together of parts of others are copied by all threads: turned ones, parts whose sizes are named, one row in all, parts of rows of rows, none
-- of no rows; and in place in a loop.
entry main [n] [m] (k: i64) (a: [n][m]i32) =
  let turned = map (rotate 1) a
  let back = map (rotate (-k)) a
  let wide = map (\r -> reverse r ++ r[1:k] ++ r) a
  let same = tabulate k (\i -> a[0, :2] ++ take 1 (drop i a[1]))
  let cubes = map (\r -> [r, r]) a
  let none = map (\r -> r[1:] ++ r[:1]) a[:0]
  let looped = loop b = a for i < k do map (rotate i) (map reverse b)
  in (turned, back, wide, same, cubes, length none, looped)
-- ---
-- [[2i32, 3i32, 4i32, 1i32], [6i32, 7i32, 8i32, 5i32], [10i32, 11i32, 12i32, 9i32]]
-- [[2i32, 3i32, 4i32, 1i32], [6i32, 7i32, 8i32, 5i32], [10i32, 11i32, 12i32, 9i32]]
-- [[4i32, 3i32, 2i32, 1i32, 2i32, 3i32, 1i32, 2i32, 3i32, 4i32], [8i32, 7i32, 6i32, 5i32, 6i32, 7i32, 5i32, 6i32, 7i32, 8i32], [12i32, 11i32, 10i32, 9i32, 10i32, 11i32, 9i32, 10i32, 11i32, 12i32]]
-- [[1i32, 2i32, 5i32], [1i32, 2i32, 6i32], [1i32, 2i32, 7i32]]
-- [[[1i32, 2i32, 3i32, 4i32], [1i32, 2i32, 3i32, 4i32]], [[5i32, 6i32, 7i32, 8i32], [5i32, 6i32, 7i32, 8i32]], [[9i32, 10i32, 11i32, 12i32], [9i32, 10i32, 11i32, 12i32]]]
-- 0i64
-- [[3i32, 2i32, 1i32, 4i32], [7i32, 6i32, 5i32, 8i32], [11i32, 10i32, 9i32, 12i32]]
