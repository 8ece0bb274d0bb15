-- case: run ( [1i32, 2i32] 3i64 )
def main (xs: []i32) (j: i64) = xs[1:j]
-- ---
-- Index [1:3] out of bounds for array of shape [2] at slice.fut:2:33 in main
