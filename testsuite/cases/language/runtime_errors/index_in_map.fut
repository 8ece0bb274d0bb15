-- case: run ( [1i32, 2i32] )
def main [n] (xs: [n]i32) = map (\i -> xs[i + 1]) (iota n)
-- ---
-- Index [2] out of bounds for array of shape [2] at index_in_map.fut:2:40 in main
