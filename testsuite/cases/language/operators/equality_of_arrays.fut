-- case: run ( [1i32, 2i32] [1i32, 3i32] )
def main [n] (xs: [n]i32) (ys: [n]i32) = (xs == ys, xs != ys, xs == xs, [xs, ys] == [xs, ys])
-- ---
false
true
true
true
