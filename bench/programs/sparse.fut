-- A sparse matrix with sixteen entries in each row, times a vector: the columns are what the lower bits of random numbers say.
-- ==
-- notest random input { [131072][16]f32 [131072][16]i32 [131072]f32 }
-- nobench input { [[1f32, 2f32], [3f32, 4f32]] [[0i32, 1i32], [131072i32, -131071i32]] [10f32, 20f32] } output { [50f32, 110f32] }

entry main [n][k] (values: [n][k]f32) (columns: [n][k]i32) (x: [n]f32): [n]f32 =
  map2 (\row at -> f32.sum (map2 (\v c -> v * x[i64.i32 (c & 131071)]) row at)) values columns
