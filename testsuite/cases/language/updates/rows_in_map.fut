-- case: run ( [[1i32, 2i32], [3i32, 4i32]] )
def main (xss: [][]i32) = (map (\xs -> copy xs with [0] = xs[1]) xss, xss)
-- ---
[[2i32, 2i32], [4i32, 4i32]]
[[1i32, 2i32], [3i32, 4i32]]
