-- case: run ( [0i32, 1i32] (-1i64) )
def main (xs: []i32) (n: i64) = intrinsics.flat_index_2d xs 0 n 1 2 1
-- ---
