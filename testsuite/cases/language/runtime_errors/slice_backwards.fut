-- case: run ( [1i32, 2i32, 3i32] 2i64 )
def main (xs: []i32) (i: i64) = xs[i:1]
-- ---
-- Index [2:1] out of bounds for array of shape [3] at slice_backwards.fut:2:33 in main
