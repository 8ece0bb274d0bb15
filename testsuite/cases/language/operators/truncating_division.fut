-- case: run ( [7i32, -7i32, 7i32, -7i32] [2i32, 2i32, -2i32, -2i32] )
-- `//` and `%%` round towards zero: the remainder has the sign of the dividend.
def main [n] (xs: [n]i32) (ys: [n]i32) = (map2 (//) xs ys, map2 (%%) xs ys)
-- ---
[3i32, -3i32, -3i32, 3i32]
[1i32, -1i32, 1i32, -1i32]
