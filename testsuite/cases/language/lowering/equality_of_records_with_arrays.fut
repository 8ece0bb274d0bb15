-- case: run ( [1i32] )
-- equality of records with arrays
def main [n] (xs: [n]i32) = (xs, 1i32) == (xs, 1)
-- ---
true
