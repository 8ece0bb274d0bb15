-- case: run ( [1i32, 2i32, 3i32] [4i32, 5i32, 6i32] )
def main [n][m] (xs: [n]i32) (ys: [m]i32) = map2 (+) xs (ys :> [n]i32)
-- ---
[5i32, 7i32, 9i32]
