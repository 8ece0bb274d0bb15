-- case: run ( [1i32, 2i32] [true, false] )
def main [n] (xs: [n]i32) (bs: [n]bool) = loop s = 0 for (x, b) in zip xs bs do if b then s + x else s * x
-- ---
2i32
