-- Products of many pairs of matrices of 4x4.
-- ==
-- notest random input { [100000][4][4]f32 [100000][4][4]f32 }
-- nobench input { [[[1f32, 0f32, 0f32, 2f32], [0f32, 1f32, 0f32, 0f32], [0f32, 0f32, 1f32, 0f32], [0f32, 0f32, 0f32, 1f32]]]
--   [[[1f32, 2f32, 3f32, 4f32], [5f32, 6f32, 7f32, 8f32], [9f32, 1f32, 2f32, 3f32], [4f32, 5f32, 6f32, 7f32]]] }
-- output { [[[9f32, 12f32, 15f32, 18f32], [5f32, 6f32, 7f32, 8f32], [9f32, 1f32, 2f32, 3f32], [4f32, 5f32, 6f32, 7f32]]] }

entry main [n] (a: [n][4][4]f32) (b: [n][4][4]f32): [n][4][4]f32 =
  map2 (\x y -> map (\row -> map (\column -> f32.sum (map2 (*) row column)) (transpose y)) x) a b
