-- case: run ( [1i32, 2i32] )
def main (xs: []i32) = let (a, b) = copy (xs, 5u8) let c = a with [0] = 9 in (c, xs, b)
-- ---
[9i32, 2i32]
[1i32, 2i32]
5u8
