-- case: run ( [[1i32, 2i32], [3i32, 4i32]] )
def main (xss: [][]i32) = (sized 4 (flatten xss), manifest (transpose xss))
-- ---
[1i32, 2i32, 3i32, 4i32]
[[1i32, 3i32], [2i32, 4i32]]
