-- case: run ( [[1i32, 2i32, 3i32], [4i32, 5i32, 6i32]] 1i64 )
def main (xss: [][]i32) (i: i64) = (xss[i, 2], xss[i][0], xss[i], xss[0, i], (xss[1])[i + 1])
-- ---
6i32
4i32
[4i32, 5i32, 6i32]
2i32
6i32
