-- case: run ( [0i64, 2i64, 0i64] [1i32, 2i32, 3i32] )
def main [n] (is: [n]i64) (xs: [n]i32) = (hist (+) 0 3 is xs, spread 4 (-1) [1, 2, 9] xs[0:3])
-- ---
[4i32, 0i32, 2i32]
[-1i32, 1i32, 2i32, -1i32]
