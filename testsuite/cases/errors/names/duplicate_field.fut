-- case: check
def main (x: i32) = {a = x, a = 2}.a
-- ---
E0211 2:29 the field `a` occurs twice
