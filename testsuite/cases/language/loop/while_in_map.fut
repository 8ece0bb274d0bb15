-- case: run ( [10i32, 7i32, 1i32] )
def main (xs: []i32) = map (\x -> (loop (y, k) = (x, 0i32) while y > 1 do (y / 2, k + 1)).1) xs
-- ---
[3i32, 2i32, 0i32]
