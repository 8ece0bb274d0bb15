-- case: run ( [1i32, 2i32] )
def main [n] (xs: [n]i32) = map (\i -> xs[i + 1]) (iota n)
-- ---
Index out of bounds: `xs[i + 1]` at index_in_map.fut:2:40 in main
