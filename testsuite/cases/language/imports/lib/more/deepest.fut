-- case: check
def four = 4i32
-- ---
-- ok
