-- case: run ( [1i32, 2i32] [3i32, 4i32] )
-- map over iota with index into two arrays
def main [n] (xs: [n]i32) (ys: [n]i32) = map (\i -> xs[i] * ys[n - 1 - i]) (iota n)
-- ---
[4i32, 6i32]
