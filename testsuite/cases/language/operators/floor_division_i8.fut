-- case: run ( [-128i8, 127i8, -1i8, 1i8] [3i8, -3i8, 127i8, -128i8] )
def main [n] (xs: [n]i8) (ys: [n]i8) = (map2 (/) xs ys, map2 (%) xs ys, map2 (//) xs ys, map2 (%%) xs ys)
-- ---
[-43i8, -43i8, -1i8, -1i8]
[1i8, -2i8, 126i8, -127i8]
[-42i8, -42i8, 0i8, 0i8]
[-2i8, 1i8, -1i8, 1i8]
