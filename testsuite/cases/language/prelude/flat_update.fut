-- case: run ( [0i32, 0i32, 0i32, 0i32, 0i32, 0i32, 0i32, 0i32] )
-- Flat updates write element (i, j) at `offset + i * s1 + j * s2`.
def main (xs: []i32) =
  ( intrinsics.flat_update_2d (copy xs) 1 3 1 [[1, 2, 3], [4, 5, 6]]
  , intrinsics.flat_update_2d (copy xs) 7 (-4) (-1) [[1, 2], [3, 4]]
  , intrinsics.flat_update_3d (copy xs) 0 4 2 1 [[[1, 2], [3, 4]], [[5, 6], [7, 8]]]
  , intrinsics.flat_update_4d (copy xs) 0 4 2 1 1 [[[[1], [2]], [[3], [4]]], [[[5], [6]], [[7], [8]]]]
  )
-- ---
[0i32, 1i32, 2i32, 3i32, 4i32, 5i32, 6i32, 0i32]
[0i32, 0i32, 4i32, 3i32, 0i32, 0i32, 2i32, 1i32]
[1i32, 2i32, 3i32, 4i32, 5i32, 6i32, 7i32, 8i32]
[1i32, 2i32, 3i32, 4i32, 5i32, 6i32, 7i32, 8i32]
