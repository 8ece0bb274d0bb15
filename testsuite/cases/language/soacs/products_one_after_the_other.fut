-- case: run ( [[[-2, -2, -2], [-2, -1, 0], [-2, 0, 2]], [[-1, -1, -1], [-1, 0, 1], [-1, 1, 3]], [[0, 0, 0], [0, 1, 2], [0, 2, 4]]] )
-- Two products for each of several matrices, the second of the first.
def times [n][m][p] (a: [n][m]i32) (b: [m][p]i32) : [n][p]i32 =
  map (\row -> map (\column -> reduce (+) 0 (map2 (*) row column)) (transpose b)) a
def main [b][n] (as: [b][n][n]i32) : [b][n][n]i32 = map (\a -> times (times a (transpose a)) a) as
-- ---
[[[-36i32, -30i32, -24i32], [-30i32, -17i32, -4i32], [-24i32, -4i32, 16i32]], [[0i32, -6i32, -12i32], [-6i32, 4i32, 14i32], [-12i32, 14i32, 40i32]], [[0i32, 0i32, 0i32], [0i32, 25i32, 50i32], [0i32, 50i32, 100i32]]]
