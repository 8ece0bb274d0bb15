-- case: run ( [-1i64, 1i64, 3i64] [7i32, 8i32, 9i32] )
-- Indices outside the destination are ignored.
def main [n] (is: [n]i64) (xs: [n]i32) = scatter (replicate 3 0) is xs
-- ---
[0i32, 8i32, 0i32]
