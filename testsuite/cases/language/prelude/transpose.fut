-- case: run ( [[1i32, 2i32, 3i32], [4i32, 5i32, 6i32]] )
def main (xss: [][]i32) = (transpose xss, transpose (transpose xss), (transpose xss)[2, 1], transpose xss[:, 1:])
-- ---
[[1i32, 4i32], [2i32, 5i32], [3i32, 6i32]]
[[1i32, 2i32, 3i32], [4i32, 5i32, 6i32]]
6i32
[[2i32, 5i32], [3i32, 6i32]]
