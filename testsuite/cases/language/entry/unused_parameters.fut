-- case: run ( 1i32 [[2f32]] [true] )
entry main (x: i32) (_: [][]f32) (_unused: []bool) = x
-- ---
1i32
