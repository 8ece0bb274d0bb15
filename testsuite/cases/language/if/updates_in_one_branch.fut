-- case: run ( false [1i32, 2i32] )
def main (b: bool) (xs: *[]i32) = let ys = if b then xs with [0] = 9 else xs in ys with [1] = 7
-- ---
[1i32, 7i32]
