-- case: run ( [1i32, 2i32, 3i32, 4i32, 5i32] )
def main (xs: *[]i32) = xs with [::2] = [7, 8, 9]
-- ---
[7i32, 2i32, 8i32, 4i32, 9i32]
