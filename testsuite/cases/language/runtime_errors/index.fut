-- case: run ( [1i32, 2i32] 2i64 )
def main (xs: []i32) (i: i64) = xs[i]
-- ---
Index out of bounds: `xs[i]` at index.fut:2:33 in main
