-- case: run ( [1i32, 2i32] [3i32, 4i32] )
def main [n] (xs: [n]i32) (ys: [n]i32) : [n]i32 = map2 (-) xs ys
-- ---
[-2i32, -2i32]
