-- case: run double ( 3i32 )
entry single (x: i32) = x
entry double (x: i32) = x * 2
-- ---
6i32
