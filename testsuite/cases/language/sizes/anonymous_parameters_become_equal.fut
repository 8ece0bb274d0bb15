-- case: run ( [1i32, 2i32] [true, false] )
-- The sizes of parameters that are not named are inferred: here they must be the same.
def main (xs: []i32) (bs: []bool) = unzip (zip xs bs)
-- ---
[1i32, 2i32]
[true, false]
