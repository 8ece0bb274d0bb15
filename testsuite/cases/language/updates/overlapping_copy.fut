-- case: run ( [1i32, 2i32, 3i32, 4i32] )
def main [n] (xs: *[n]i32) = let ys = copy xs[:n - 1] in xs with [1:] = ys
-- ---
[1i32, 1i32, 2i32, 3i32]
