-- case: run ( [1i32, 2i32] )
def main (xs: []i32) = loop s = 0 for i < 3i64 do s + xs[i]
-- ---
-- Index [2] out of bounds for array of shape [2] at index_in_loop.fut:2:55 in main
