-- case: run ( [1i32] )
-- called poly with arrays
def pair 'a (x: a) (y: a) = [x, y] def main [n] (xs: [n]i32) = pair xs (map (+ 1) xs)
-- ---
[[1i32], [2i32]]
