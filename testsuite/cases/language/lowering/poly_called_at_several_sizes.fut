-- case: run ( [[1i32, 2i32]] [[3i32], [4i32]] )
-- poly called at several sizes
def first 'a [n] (xs: [n]a): a = xs[0]
def main [n][m] (xs: [n][m]i32) (ys: [m][n]i32) = (first xs, first ys, first [1i32])
-- ---
[1i32, 2i32]
[3i32]
1i32
