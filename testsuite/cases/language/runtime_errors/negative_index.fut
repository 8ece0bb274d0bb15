-- case: run ( [1i32, 2i32] -1i32 )
def main (xs: []i32) (i: i32) = xs[i]
-- ---
Index out of bounds: `xs[i]` at negative_index.fut:2:33 in main
