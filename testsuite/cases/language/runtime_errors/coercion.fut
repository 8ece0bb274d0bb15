-- case: run ( [1i32, 2i32] [1i32] )
def main [n][m] (xs: [n]i32) (ys: [m]i32) = map2 (+) xs (ys :> [n]i32)
-- ---
-- Value cannot match shape of type: expected "[2]i32", found "[1]i32" at coercion.fut:2:57 in main
