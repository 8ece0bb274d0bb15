-- case: run ( [1i32, 2i32, 3i32] )
-- partition
def main [n] (xs: [n]i32) = partition (> 1) xs
-- ---
[2i32, 3i32]
[1i32]
