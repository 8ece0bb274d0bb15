-- case: run ( [1i32, 2i32] )
def f (xs: []i32) = let ys = copy xs in ys with [0] = 9
def main (xs: []i32) = (f xs, xs)
-- ---
[9i32, 2i32]
[1i32, 2i32]
