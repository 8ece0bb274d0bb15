-- case: run ( [1i32, 2i32, 3i32] [[true, false]] )
def main [n][m][k] (xs: [n]i32) (_: [m][k]bool) = (n, m, k, n * m + k, xs[n - 1])
-- ---
3i64
1i64
2i64
5i64
3i32
