-- case: run ( [1i32, 2i32] 2i64 )
def main (xs: *[]i32) (i: i64) = xs with [i] = 0
-- ---
-- Index [2] out of bounds for array of shape [2] at update.fut:2:34 in main
