-- case: run ( [0i32, 0i32, 0i32, 0i32] 1i64 )
-- Where two elements could get one place, a flat update stops the program.
def main (xs: *[]i32) (stride: i64) = intrinsics.flat_update_2d xs 0 stride 1 [[1, 2], [3, 4]]
-- ---
-- Flat update {(2 : 1)(2 : 1)} may write an element twice at flat_update_twice.fut:3:39 in main
