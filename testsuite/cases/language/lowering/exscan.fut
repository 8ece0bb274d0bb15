-- case: run ( [1i32, 2i32, 3i32] )
-- exscan
def main [n] (xs: [n]i32) = exscan (+) 0 xs
-- ---
[0i32, 1i32, 3i32]
