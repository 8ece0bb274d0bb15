-- case: run ( [1i32, 2i32] 3i64 )
def main (xs: []i32) (k: i64) = take k xs
-- ---
-- Index [0:3] out of bounds for array of shape [2] at take_too_many.fut:2:33 in main
