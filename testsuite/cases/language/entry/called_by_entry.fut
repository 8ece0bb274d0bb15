-- case: run ( 3i32 )
entry inc (x: i32) = x + 1
entry main (x: i32) = inc (inc x)
-- ---
5i32
