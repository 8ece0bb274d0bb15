-- case: run ( [1i32, 2i32] )
entry main (xs: []i32) = (xs, xs)
-- ---
[1i32, 2i32]
[1i32, 2i32]
