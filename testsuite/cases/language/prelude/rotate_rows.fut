-- case: run ( [[1i32, 2i32, 3i32], [4i32, 5i32, 6i32]] empty([0]i32) )
def main (xss: [][]i32) (none: []i32) = (rotate 1 xss, map (rotate 1) xss, rotate 3 none)
-- ---
[[4i32, 5i32, 6i32], [1i32, 2i32, 3i32]]
[[2i32, 3i32, 1i32], [5i32, 6i32, 4i32]]
empty([0]i32)
