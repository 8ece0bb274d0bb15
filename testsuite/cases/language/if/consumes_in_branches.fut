-- case: run ( true [1i32, 2i32] )
def main (b: bool) (xs: *[]i32) = if b then xs with [0] = 9 else xs with [1] = 8
-- ---
[9i32, 2i32]
