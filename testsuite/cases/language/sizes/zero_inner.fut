-- case: run ( empty([3][0]i32) )
def main [n][m] (xss: [n][m]i32) = (n, m, transpose xss, map i32.sum xss, flatten xss, map (map (+ 1)) xss)
-- ---
3i64
0i64
empty([0][3]i32)
[0i32, 0i32, 0i32]
empty([0]i32)
empty([3][0]i32)
