-- case: run ( [[1i32, 2i32], [3i32, 4i32]] )
def main (xss: [][]i32) = (flatten xss, flatten (transpose xss), flatten xss[::-1], flatten xss[:, 1:], flatten_3d [xss, xss])
-- ---
[1i32, 2i32, 3i32, 4i32]
[1i32, 3i32, 2i32, 4i32]
[3i32, 4i32, 1i32, 2i32]
[2i32, 4i32]
[1i32, 2i32, 3i32, 4i32, 1i32, 2i32, 3i32, 4i32]
