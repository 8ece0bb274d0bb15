-- case: run ( [[[0, -1, -2], [1, 0, -1], [2, 1, 0], [3, 2, 1], [4, 3, 2]], [[2, 1, 0], [3, 2, 1], [4, 3, 2], [5, 4, 3], [6, 5, 4]]] [[[-3, -3, -3, -3], [-3, -2, -1, 0], [-3, -1, 1, 3]], [[-2, -2, -2, -2], [-2, -1, 0, 1], [-2, 0, 2, 4]]] [1, -2, 3, 0] )
-- A product for each of several matrices, to whose cells a number of the column is added, and which are not negative.
def main [b][n][m][p] (as: [b][n][m]i32) (bs: [b][m][p]i32) (bias: [p]i32) : [b][n][p]i32 =
  map2 (\a b -> map (\row -> map2 (\column c -> i32.max 0 (reduce (+) 0 (map2 (*) row column) + c)) (transpose b) bias) a) as bs
-- ---
[[[10i32, 2i32, 2i32, 0i32], [1i32, 0i32, 0i32, 0i32], [0i32, 0i32, 0i32, 0i32], [0i32, 0i32, 0i32, 0i32], [0i32, 0i32, 0i32, 0i32]], [[0i32, 0i32, 0i32, 0i32], [0i32, 0i32, 0i32, 0i32], [0i32, 0i32, 0i32, 3i32], [0i32, 0i32, 0i32, 6i32], [0i32, 0i32, 0i32, 9i32]]]
