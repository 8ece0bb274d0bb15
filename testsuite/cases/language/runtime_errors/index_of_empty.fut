-- case: run ( empty([0]i32) )
def main (xs: []i32) = head xs
-- ---
-- Index [0] out of bounds for array of shape [0] at index_of_empty.fut:2:24 in main
