-- case: run ( [1i32, 2i32] )
def main (xs: []i32) = (copy xs with [0] = 9, xs, (map (+ 1) xs) with [1] = 0)
-- ---
[9i32, 2i32]
[1i32, 2i32]
[2i32, 0i32]
