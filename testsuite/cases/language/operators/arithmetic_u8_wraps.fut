-- case: run ( [255u8, 0u8, 200u8] [1u8, 1u8, 100u8] )
def main [n] (xs: [n]u8) (ys: [n]u8) = (map2 (+) xs ys, map2 (-) xs ys, map2 (*) xs ys)
-- ---
[0u8, 1u8, 44u8]
[254u8, 255u8, 100u8]
[255u8, 0u8, 32u8]
