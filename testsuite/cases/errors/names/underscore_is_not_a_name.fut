-- case: check
def main (_: i32) = _ + 1
-- ---
E0110 2:21 expected an expression, found `_`
