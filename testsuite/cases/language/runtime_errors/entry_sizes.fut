-- case: run ( [1i32, 2i32] [3i32] )
def main [n] (xs: [n]i32) (ys: [n]i32) = map2 (+) xs ys
-- ---
entry point arguments have invalid sizes: dimension 0 of argument 1 has size 1 where 2 is needed in main
