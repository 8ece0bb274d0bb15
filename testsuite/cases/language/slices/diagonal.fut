-- case: run ( [[1i32, 2i32, 3i32], [4i32, 5i32, 6i32], [7i32, 8i32, 9i32]] )
def main [n] (xss: [n][n]i32) = (flatten xss)[::n + 1]
-- ---
[1i32, 5i32, 9i32]
