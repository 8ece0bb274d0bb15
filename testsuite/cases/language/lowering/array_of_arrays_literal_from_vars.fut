-- case: run ( [1i32] [2i32] )
-- array of arrays literal from vars
def main [n] (xs: [n]i32) (ys: [n]i32) = [xs, ys, map (+ 1) xs]
-- ---
[[1i32], [2i32], [2i32]]
