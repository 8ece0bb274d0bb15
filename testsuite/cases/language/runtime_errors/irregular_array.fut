-- case: run ( [1i32] [1i32, 2i32] )
def main [n][m] (xs: [n]i32) (ys: [m]i32) = [xs, ys :> [n]i32]
-- ---
-- Value cannot match shape of type: expected "[1]i32", found "[2]i32" at irregular_array.fut:2:50 in main
