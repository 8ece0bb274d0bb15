-- case: run ( [1i32, 2i32] 2i64 )
def main (xs: []i32) (i: i64) = xs[i]
-- ---
-- Index [2] out of bounds for array of shape [2] at index.fut:2:33 in main
