-- case: run ( [1i32, 2i32] )
-- The value is of before the updates.
def main (xs: *[]i32) = (xs with [1] = xs[0]) with [0] = xs[1]
-- ---
[2i32, 1i32]
