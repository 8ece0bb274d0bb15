-- case: run ( [1i32, 2i32, 3i32, 4i32] 3i32 )
def main [n] (xs: [n]i32) (k: i32) = loop xs for _i < k do map2 (+) xs (rotate 1 xs)
-- ---
[20i32, 24i32, 20i32, 16i32]
