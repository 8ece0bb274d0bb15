-- case: run main ( [[0i32, 1i32, 9i32, 9i32], [2i32, 0i32, 3i32, 9i32], [1i32, 9i32, 0i32, 1i32], [9i32, 1i32, 9i32, 0i32]] )
-- Each step needs of each row the cell of one column as it was before the step (shortest ways, by Floyd and Warshall), and of all rows one row.
entry main [n] (distances: [n][n]i32): [n][n]i32 =
  loop d = copy distances for k < n do map (\row -> map2 (\x y -> i32.min x (row[k] + y)) row d[k]) d
-- ---
-- [[0i32, 1i32, 4i32, 5i32], [2i32, 0i32, 3i32, 4i32], [1i32, 2i32, 0i32, 1i32], [3i32, 1i32, 4i32, 0i32]]
