-- case: run ( [4i32] )
-- lambda with size annotation
def main [n] (xs: [n]i32) = (\(ys: [n]i32) -> ys[0]) xs
-- ---
4i32
