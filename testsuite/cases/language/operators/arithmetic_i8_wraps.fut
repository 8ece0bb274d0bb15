-- case: run ( [127i8, -128i8, 100i8, -100i8] [1i8, -1i8, 100i8, 100i8] )
def main [n] (xs: [n]i8) (ys: [n]i8) = (map2 (+) xs ys, map2 (-) xs ys, map2 (*) xs ys)
-- ---
[-128i8, 127i8, -56i8, 0i8]
[126i8, -127i8, 0i8, 56i8]
[127i8, -128i8, 16i8, -16i8]
