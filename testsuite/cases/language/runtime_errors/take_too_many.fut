-- case: run ( [1i32, 2i32] 3i64 )
def main (xs: []i32) (k: i64) = take k xs
-- ---
Slice out of bounds at take_too_many.fut:2:33 in main
