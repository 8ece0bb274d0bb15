-- case: run ( [1i32, 2i32] )
-- size param as value in closure
def main [n] (xs: [n]i32) = map (\x -> x + i32.i64 n) xs
-- ---
[3i32, 4i32]
