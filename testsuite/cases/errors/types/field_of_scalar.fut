-- case: check
def main (x: i32) = x.y
-- ---
E0206 2:21 i32 has no field `y`
