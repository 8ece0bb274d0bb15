-- case: run ( [0i32, 0i32, 0i32] )
def main (xs: []i32) = intrinsics.flat_index_2d xs 0 2 2 2 1
-- ---
-- Flat slice 0 + {(2 : 2)(2 : 1)} out of bounds for array of shape [3] at flat_index_out_of_bounds.fut:2:24 in main
