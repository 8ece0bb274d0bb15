-- case: run ( [[1i32, 2i32], [3i32, 4i32]] 2i32 )
def main (xss: [][]i32) (k: i32) = map (\xs -> loop xs for i < k do map (\x -> x * 2 + i) xs) xss
-- ---
[[5i32, 9i32], [13i32, 17i32]]
