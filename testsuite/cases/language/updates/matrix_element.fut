-- case: run ( [[1i32, 2i32], [3i32, 4i32]] )
def main (xss: *[][]i32) = xss with [1, 0] = 9
-- ---
[[1i32, 2i32], [9i32, 4i32]]
