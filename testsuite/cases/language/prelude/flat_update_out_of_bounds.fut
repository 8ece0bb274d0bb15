-- case: run ( [0i32, 0i32, 0i32] )
def main (xs: *[]i32) = intrinsics.flat_update_2d xs 0 2 1 [[1, 2], [3, 4]]
-- ---
-- Flat slice 0 + {(2 : 2)(2 : 1)} out of bounds for array of shape [3] at flat_update_out_of_bounds.fut:2:25 in main
