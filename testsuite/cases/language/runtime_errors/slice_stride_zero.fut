-- case: run ( [1i32, 2i32, 3i32] 0i64 )
def main (xs: []i32) (s: i64) = xs[::s]
-- ---
-- Index [::0] out of bounds for array of shape [3] at slice_stride_zero.fut:2:33 in main
