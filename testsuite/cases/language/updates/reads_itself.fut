-- case: run ( [1i32, 2i32, 3i32] )
def main (xs: *[]i32) = let xs[0] = xs[1] + xs[2] let xs[2] = xs[0] in xs
-- ---
[5i32, 2i32, 5i32]
