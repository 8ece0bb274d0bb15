-- case: run ( [1i32, -2i32] )
def main (xs: []i32) = map (\x -> if x > 0 then [x, 0] else [0, -x]) xs
-- ---
[[1i32, 0i32], [0i32, 2i32]]
