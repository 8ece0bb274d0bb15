-- case: run ( [1i32, 2i32] )
def main (xs: []i32) = let (a, b, c) = unzip3 (map (\x -> (x, x > 1, [x, -x])) xs) in (a, b, c)
-- ---
[1i32, 2i32]
[false, true]
[[1i32, -1i32], [2i32, -2i32]]
