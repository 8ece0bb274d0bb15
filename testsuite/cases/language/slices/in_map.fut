-- case: run ( [1i32, 2i32, 3i32, 4i32] )
def main [n] (xs: [n]i32) = tabulate (n - 1) (\i -> i32.sum xs[i:i + 2])
-- ---
[3i32, 5i32, 7i32]
