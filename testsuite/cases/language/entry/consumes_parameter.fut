-- case: run ( [1i32, 2i32] [3i32, 4i32] )
entry main [n] (xs: *[n]i32) (ys: [n]i32) : *[n]i32 = xs with [0] = ys[1]
-- ---
[4i32, 2i32]
