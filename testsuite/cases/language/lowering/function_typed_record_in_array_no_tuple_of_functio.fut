-- case: run ( 2i32 )
-- function-typed record in array? no; tuple of functions
def main (x: i32) = let (f, g) = ((+ 1), \y -> y * x) in f (g 3)
-- ---
7i32
