-- case: run ( [1i32, 2i32] )
def f (xs: []i32) : []i32 = map (+ 1) xs
def main (xs: []i32) : []i32 = f (f xs)
-- ---
[3i32, 4i32]
