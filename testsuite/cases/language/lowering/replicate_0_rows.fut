-- case: run ( [1i32, 2i32] )
-- replicate 0 rows
def main [m] (xs: [m]i32) = transpose (replicate 0 xs)
-- ---
empty([2][0]i32)
