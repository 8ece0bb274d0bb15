-- case: run b ( [1i32, 2i32] )
entry a (x: i32) = x
entry b (xs: []i32) = map a xs
-- ---
[1i32, 2i32]
