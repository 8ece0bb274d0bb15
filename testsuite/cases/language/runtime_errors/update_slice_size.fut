-- case: run ( [1i32, 2i32, 3i32] [7i32] )
def main [m] (xs: *[]i32) (ys: [m]i32) = xs with [0:2] = (ys :> [2]i32)
-- ---
-- Value cannot match shape of type: expected "[2]i32", found "[1]i32" at update_slice_size.fut:2:58 in main
