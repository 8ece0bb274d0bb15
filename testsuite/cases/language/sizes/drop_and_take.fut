-- case: run ( [1i32, 2i32, 3i32, 4i32] )
def main [n] (xs: [n]i32) = (map2 (+) (take (n - 1) xs) (init xs), map2 (-) (tail xs) (init xs))
-- ---
[2i32, 4i32, 6i32]
[1i32, 1i32, 1i32]
