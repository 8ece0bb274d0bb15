-- case: run ( [1i32, 2i32, 3i32] )
def main (xs: *[]i32) = xs with [1] = 9
-- ---
[1i32, 9i32, 3i32]
