-- case: run ( [1i32, 2i32, 3i32] )
def main (xs: []i32) = (foldl (\a x -> a * 10 + x) 0 xs, (foldl (\(a, b) x -> (b, a + x)) (0, 1) xs).1, foldl (-) 0 xs, foldl (\_ x -> x) 5 [])
-- ---
123i32
4i32
-6i32
5i32
