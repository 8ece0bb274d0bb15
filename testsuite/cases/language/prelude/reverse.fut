-- case: run ( [1i32, 2i32, 3i32] [[1i32, 2i32], [3i32, 4i32]] )
def main (xs: []i32) (xss: [][]i32) = (reverse xs, reverse xss, map reverse xss, reverse (reverse xs), reverse xs[1:])
-- ---
[3i32, 2i32, 1i32]
[[3i32, 4i32], [1i32, 2i32]]
[[2i32, 1i32], [4i32, 3i32]]
[1i32, 2i32, 3i32]
[3i32, 2i32]
