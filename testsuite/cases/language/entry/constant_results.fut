-- case: run ()
entry main = (1i32, [2f32], true, [[1u8], [2]])
-- ---
1i32
[2.0f32]
true
[[1u8], [2u8]]
