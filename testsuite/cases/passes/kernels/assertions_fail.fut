-- case: run main ( [2i64, 3i64] [[1i64, 2i64, 3i64], [4i64, 5i64, 6i64], [7i64, 8i64, 9i64]] 0i64 )
-- An assertion in front of rows without elements is made all the same.
entry main [n] [m] (places: [n]i64) (rows: [m][3]i64) (k: i64) = map (\p -> let row = rows[p] in tabulate k (\j -> row[j])) places
-- ---
-- Index [3] out of bounds for array of shape [3] at assertions_fail.fut:3:87 in main
