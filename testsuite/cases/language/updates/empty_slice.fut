-- case: run ( [1i32, 2i32] )
def main (xs: *[]i32) = xs with [1:1] = ([] :> []i32)
-- ---
[1i32, 2i32]
