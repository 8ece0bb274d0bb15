-- case: run ( [3i64, 0i64, 2i64] [7i32, 8i32, 9i32] )
def main [n] (is: [n]i64) (xs: [n]i32) = scatter (replicate 5 0) is xs
-- ---
[8i32, 0i32, 9i32, 7i32, 0i32]
