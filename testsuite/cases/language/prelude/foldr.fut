-- case: run ( [1i32, 2i32, 3i32] )
def main (xs: []i32) = (foldr (-) 0 xs, foldr (\x a -> a * 10 + x) 0 xs)
-- ---
2i32
321i32
