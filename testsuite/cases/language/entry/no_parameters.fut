-- case: run answer ()
entry answer = 42i32
entry other : i32 = 1
-- ---
42i32
