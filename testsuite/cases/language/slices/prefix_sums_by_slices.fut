-- case: run ( [1i32, 2i32, 3i32, 4i32] )
def main [n] (xs: [n]i32) = tabulate n (\i -> i32.sum xs[:i + 1])
-- ---
[1i32, 3i32, 6i32, 10i32]
