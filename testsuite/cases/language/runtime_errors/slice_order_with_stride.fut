-- case: run ( [1i32, 2i32] 2i64 1i64 2i64 )
-- Bounds in the wrong order are no empty slice, although the number of steps between them rounds to nothing.
def main (xs: []i32) (i: i64) (j: i64) (s: i64) = xs[i:j:s]
-- ---
-- Index [2:1:2] out of bounds for array of shape [2] at slice_order_with_stride.fut:3:51 in main
