-- case: check
def main (x: i32) = x[0]
-- ---
E0216 2:21 a value of type i32 cannot be indexed
