-- case: run ( [1i32, 2i32] [3i32, 4i32] )
def both 'a (x: a) (y: a) = [x, y]
def main [n] (xs: [n]i32) (ys: [n]i32) = both xs ys
-- ---
[[1i32, 2i32], [3i32, 4i32]]
