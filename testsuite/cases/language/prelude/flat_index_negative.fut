-- case: run ( [0i32, 1i32] -1i64 )
def main (xs: []i32) (n: i64) = intrinsics.flat_index_2d xs 0 n 1 2 1
-- ---
-- Flat slice 0 + {(-1 : 1)(2 : 1)} out of bounds for array of shape [2] at flat_index_negative.fut:2:33 in main
