-- case: run ( [0i32, 0i32, 0i32, 0i32, 0i32] )
-- Where strides show that elements get one place, the last one of them stays.
def main (xs: []i32) =
  ( intrinsics.flat_update_2d (copy xs) 0 1 1 [[1, 2], [3, 4]]
  , intrinsics.flat_update_2d (copy xs) 4 0 (-1) [[1, 2], [3, 4], [5, 6]]
  , intrinsics.flat_update_3d (copy xs) 1 1 1 2 [[[1], [2]], [[3], [4]]]
  )
-- ---
-- [1i32, 3i32, 4i32, 0i32, 0i32]
-- [0i32, 0i32, 0i32, 6i32, 5i32]
-- [0i32, 1i32, 3i32, 4i32, 0i32]
