-- case: run ( [1i32, 2i32] [3i32, 4i32] )
def main [n] (xs: [n]i32) (ys: [n]i32) = [xs, map (* 2) ys, reverse xs]
-- ---
[[1i32, 2i32], [6i32, 8i32], [2i32, 1i32]]
