-- case: run main ( [[1i32, 2i32, 3i32, 4i32], [0i32, 1i32, 1i32, 1i32], [2i32, 0i32, 1i32, 3i32], [1i32, 1i32, 0i32, 1i32], [5i32, 7i32, 2i32, 3i32], [1i32, 0i32, 4i32, 1i32], [3i32, 1i32, 1i32, 0i32], [2i32, 5i32, 1i32, 2i32], [1i32, 3i32, 0i32, 2i32]] )
-- Products of 2x2 matrices, which do not commute: of rows with four elements, and of matrices by maps and sums.
def times (a: [4]i32) (b: [4]i32) : [4]i32 =
  [a[0] * b[0] + a[1] * b[2], a[0] * b[1] + a[1] * b[3], a[2] * b[0] + a[3] * b[2], a[2] * b[1] + a[3] * b[3]]
def product (a: [2][2]i32) (b: [2][2]i32) : [2][2]i32 =
  map (\row -> map (\column -> i32.sum (map2 (*) row column)) (transpose b)) a
def one : [4]i32 = [1, 0, 0, 1]
entry main [n] (a: [n][4]i32) =
  let b = map (\row -> unflatten (row :> [2 * 2]i32)) a
  in ( reduce times (copy one) a
     , scan times (copy one) a
     , reduce product (unflatten (copy one :> [2 * 2]i32)) b
     , scan product (unflatten (copy one :> [2 * 2]i32)) b
     )
-- ---
-- [3379i32, 26577i32, 7419i32, 58353i32]
-- [[1i32, 2i32, 3i32, 4i32], [2i32, 3i32, 4i32, 7i32], [7i32, 9i32, 15i32, 21i32], [7i32, 16i32, 15i32, 36i32], [67i32, 97i32, 147i32, 213i32], [455i32, 97i32, 999i32, 213i32], [1462i32, 455i32, 3210i32, 999i32], [3379i32, 8220i32, 7419i32, 18048i32], [3379i32, 26577i32, 7419i32, 58353i32]]
-- [[3379i32, 26577i32], [7419i32, 58353i32]]
-- [[[1i32, 2i32], [3i32, 4i32]], [[2i32, 3i32], [4i32, 7i32]], [[7i32, 9i32], [15i32, 21i32]], [[7i32, 16i32], [15i32, 36i32]], [[67i32, 97i32], [147i32, 213i32]], [[455i32, 97i32], [999i32, 213i32]], [[1462i32, 455i32], [3210i32, 999i32]], [[3379i32, 8220i32], [7419i32, 18048i32]], [[3379i32, 26577i32], [7419i32, 58353i32]]]
