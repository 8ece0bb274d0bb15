-- case: run ( [1i32, 2i32] )
-- iterate with arrays
def main [n] (xs: [n]i32) = iterate 3 (map (* 2)) xs
-- ---
[8i32, 16i32]
