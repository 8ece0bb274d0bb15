-- case: run ( [1i32, 2i32] )
def main (xs: []i32) = (zip xs xs == map (\x -> (x, x)) xs, (xs, 1i32).0 == xs)
-- ---
true
true
