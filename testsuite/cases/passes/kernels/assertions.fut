-- case: run main ( [2i64, 0i64, 1i64] [[1i64, 2i64, 3i64], [4i64, 5i64, 6i64], [7i64, 8i64, 9i64]] )
-- Assertions between parallel loops: each point makes them where there is one for certain, and they are made also where rows have none.
entry main [n] [m] (places: [n]i64) (rows: [m][3]i64) =
  let fixed = map (\p -> let row = rows[p] in tabulate 3 (\j -> row[j] * 2 + p)) places
  let turned = map (\p -> let row = rows[p] in tabulate n (\j -> row[j] - p)) places
  in (fixed, turned)
-- ---
-- [[16i64, 18i64, 20i64], [2i64, 4i64, 6i64], [9i64, 11i64, 13i64]]
-- [[5i64, 6i64, 7i64], [1i64, 2i64, 3i64], [3i64, 4i64, 5i64]]
