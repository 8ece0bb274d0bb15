-- case: run ( [1i32, 2i32] 2i64 )
def main (xs: *[]i32) (i: i64) = xs with [i] = 0
-- ---
Index out of bounds: `xs with [i] = 0` at update.fut:2:34 in main
