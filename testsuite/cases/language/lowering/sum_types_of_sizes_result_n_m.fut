-- case: run ( [1i32] )
-- sum types of sizes result n+m
def cat [n][m] (xs: [n]i32) (ys: [m]i32): [n + m]i32 = concat xs ys def main [n] (xs: [n]i32) = map2 (+) (cat xs xs) (cat xs xs)
-- ---
[2i32, 2i32]
