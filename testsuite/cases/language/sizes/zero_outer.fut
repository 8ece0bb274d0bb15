-- case: run ( empty([0][3]i32) )
def main [n][m] (xss: [n][m]i32) = (n, m, map i32.sum (transpose xss), map (\r -> r[0]) xss, xss ++ [replicate m 1])
-- ---
0i64
3i64
[0i32, 0i32, 0i32]
empty([0]i32)
[[1i32, 1i32, 1i32]]
