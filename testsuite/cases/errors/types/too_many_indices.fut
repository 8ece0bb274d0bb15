-- case: check
def main (xs: []i32) = xs[0, 1]
-- ---
E0216 2:24 2 indices are too many for a value of type [_]i32
