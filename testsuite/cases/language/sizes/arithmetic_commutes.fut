-- case: run ( [1i32, 2i32] [3i32] )
def f [n][m] (xs: [n]i32) (ys: [m]i32) : [n + m]i32 = xs ++ ys
def main [n][m] (xs: [n]i32) (ys: [m]i32) = f xs ys
-- ---
[1i32, 2i32, 3i32]
