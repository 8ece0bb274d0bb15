-- case: run ( [7i32, -7i32, 7i32, -7i32, 6i32, -6i32] [2i32, 2i32, -2i32, -2i32, -3i32, 3i32] )
-- `/` and `%` round towards negative infinity: the remainder has the sign of the divisor.
def main [n] (xs: [n]i32) (ys: [n]i32) = (map2 (/) xs ys, map2 (%) xs ys)
-- ---
[3i32, -4i32, -4i32, 3i32, -2i32, -2i32]
[1i32, 1i32, -1i32, -1i32, 0i32, 0i32]
