-- case: run ( [1i32, 2i32, 3i32] 2i64 )
def main (xs: []i32) (i: i64) = xs[i:1]
-- ---
Slice out of bounds: `xs[i:1]` at slice_backwards.fut:2:33 in main
