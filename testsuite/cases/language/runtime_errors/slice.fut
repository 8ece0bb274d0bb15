-- case: run ( [1i32, 2i32] 3i64 )
def main (xs: []i32) (j: i64) = xs[1:j]
-- ---
Slice out of bounds: `xs[1:j]` at slice.fut:2:33 in main
