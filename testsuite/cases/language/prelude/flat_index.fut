-- case: run ( [0i32, 1i32, 2i32, 3i32, 4i32, 5i32, 6i32, 7i32] )
-- Flat indices: the element at (i, j) is the one at `offset + i * s1 + j * s2`; strides may be negative or zero.
def main (xs: []i32) =
  ( intrinsics.flat_index_2d xs 1 2 3 3 1
  , intrinsics.flat_index_2d xs 7 2 (-4) 2 0
  , intrinsics.flat_index_3d xs 0 2 4 2 2 2 1
  , intrinsics.flat_index_4d xs 0 1 0 2 4 2 2 2 1
  , length (intrinsics.flat_index_2d xs 100 0 1 2 1)
  )
-- ---
[[1i32, 2i32, 3i32], [4i32, 5i32, 6i32]]
[[7i32, 7i32], [3i32, 3i32]]
[[[0i32, 1i32], [2i32, 3i32]], [[4i32, 5i32], [6i32, 7i32]]]
[[[[0i32, 1i32], [2i32, 3i32]], [[4i32, 5i32], [6i32, 7i32]]]]
0i64
