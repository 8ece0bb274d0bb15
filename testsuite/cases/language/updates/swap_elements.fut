-- case: run ( [1i32, 2i32, 3i32] )
def main (xs: *[]i32) = let (a, b) = (xs[0], xs[2]) let xs[0] = b let xs[2] = a in xs
-- ---
[3i32, 2i32, 1i32]
