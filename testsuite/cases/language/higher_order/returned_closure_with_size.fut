-- case: run ( [1i32, 2i32, 3i32] )
def scaled [n] (xs: [n]i32) : i32 -> [n]i32 = \k -> map (* k) xs
def main [n] (xs: [n]i32) = let s = scaled xs in map2 (+) (s 2) (s 3)
-- ---
[5i32, 10i32, 15i32]
