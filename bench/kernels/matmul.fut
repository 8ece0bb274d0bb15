-- The product of two matrices: each element is the dot product of a row and a column.
-- ==
-- notest random input { [1024][1024]f32 [1024][1024]f32 }
-- nobench input { [[1f32, 2f32], [3f32, 4f32], [5f32, 6f32]] [[1f32, 0f32, 2f32], [0f32, 1f32, 3f32]] }
-- output { [[1f32, 2f32, 8f32], [3f32, 4f32, 18f32], [5f32, 6f32, 28f32]] }

def dot [n] (a: [n]f32) (b: [n]f32): f32 = reduce (+) 0 (map2 (*) a b)

entry main [n][m][p] (a: [n][m]f32) (b: [m][p]f32): [n][p]f32 =
  let columns = transpose b
  in map (\row -> map (dot row) columns) a
