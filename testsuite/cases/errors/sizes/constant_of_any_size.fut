-- case: check
def f [n] = (iota n, 1i32)
-- ---
E0305 2:8 the size parameter n is not a size of any parameter
