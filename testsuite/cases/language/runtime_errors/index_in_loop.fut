-- case: run ( [1i32, 2i32] )
def main (xs: []i32) = loop s = 0 for i < 3i64 do s + xs[i]
-- ---
Index out of bounds: `xs[i]` at index_in_loop.fut:2:55 in main
