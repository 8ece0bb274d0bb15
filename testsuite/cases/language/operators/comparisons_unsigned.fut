-- case: run ( [255u8, 1u8, 0u8] [1u8, 1u8, 128u8] )
def main [n] (xs: [n]u8) (ys: [n]u8) = (map2 (<) xs ys, map2 (<=) xs ys, map2 (>) xs ys, map2 (>=) xs ys)
-- ---
[false, false, true]
[false, true, true]
[true, false, false]
[true, true, false]
