-- case: run ( [1i32, 2i32] -1i32 )
def main (xs: []i32) (i: i32) = xs[i]
-- ---
-- Index [-1] out of bounds for array of shape [2] at negative_index.fut:2:33 in main
