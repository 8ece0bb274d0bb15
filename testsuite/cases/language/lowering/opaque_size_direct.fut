-- case: run ( [1i32, 2i32, 3i32, 4i32] )
-- opaque size direct
def main [n] (xs: [n]i32) = map2 (+) (take (n / 2) xs) (take (n / 2) xs)
-- ---
[2i32, 4i32]
