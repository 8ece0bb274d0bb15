-- case: run ( [10i32, 20i32] [1i64, 1i64] [3i32, 4i32] )
def main [n] (dest: *[]i32) (is: [n]i64) (xs: [n]i32) = reduce_by_index dest (+) 0 is xs
-- ---
[10i32, 27i32]
