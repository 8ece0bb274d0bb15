-- case: run ( [[1i32, 2i32], [3i32, 4i32]] )
-- transpose twice & flatten
def main [a][b] (xs: [a][b]i32) = flatten (transpose xs)
-- ---
[1i32, 3i32, 2i32, 4i32]
