-- case: run ( [1i32, 2i32] )
def main (xs: [3]i32) = xs[0]
-- ---
entry point arguments have invalid sizes: dimension 0 of argument 0 has size 2 where 3 is needed in main
