-- case: run ( [1i32, 2i32, 3i32] [4i32, 5i32] )
def main (xs: []i32) (ys: []i32) = map (\x -> map (\y -> x * y) ys) xs
-- ---
[[4i32, 5i32], [8i32, 10i32], [12i32, 15i32]]
