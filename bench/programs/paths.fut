-- Shortest ways between all pairs of places, by Floyd and Warshall.
-- ==
-- notest script input { distances 512i64 }
-- nobench input { [[0i32, 1i32, 9i32], [2i32, 0i32, 3i32], [1i32, 9i32, 0i32]] }
-- output { [[0i32, 1i32, 4i32], [2i32, 0i32, 3i32], [1i32, 2i32, 0i32]] }

-- Distances from 0 to 1023.
entry distances (n: i64): [n][n]i32 =
  tabulate_2d n n (\i j -> i32.u32 ((u32.i64 (i * n + j) * 2654435761 + 12345) >> 22))

entry main [n] (distances: [n][n]i32): [n][n]i32 =
  loop d = distances for k < n do map (\row -> map2 (\x y -> i32.min x (row[k] + y)) row d[k]) d
