-- case: run ( [1i32, 2i32] )
def main (xs: []i32) = map (\x -> (\y -> (\z -> x * 100 + y * 10 + z) (x + 2)) (x + 1)) xs
-- ---
[123i32, 234i32]
