-- case: run ( [1i32, 2i32] )
-- assert in map
def main [n] (xs: [n]i32) = map (\x -> assert (x > 0) (x - 1)) xs
-- ---
[0i32, 1i32]
