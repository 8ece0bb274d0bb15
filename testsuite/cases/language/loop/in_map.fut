-- case: run ( [1i32, 5i32, 0i32] )
def main (xs: []i32) = map (\x -> loop s = 1 for i < x do s * (i + 1)) xs
-- ---
[1i32, 120i32, 1i32]
