-- case: run ( [[1i32, 2i32], [3i32, 4i32]] )
def main [n][m] (xss: *[n][m]i32) = xss with [:, 1] = replicate n 7
-- ---
[[1i32, 7i32], [3i32, 7i32]]
