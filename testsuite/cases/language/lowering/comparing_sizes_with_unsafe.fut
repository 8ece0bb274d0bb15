-- case: run ( [4i32, 5i32] )
-- comparing sizes with unsafe
def main [n] (xs: [n]i32) = #[unsafe] map (\i -> xs[i + 1 - 1]) (iota n)
-- ---
[4i32, 5i32]
