-- case: run ( [1i32, 2i32, 3i32] )
def main [n] (xs: [n]i32) = (map (\i -> xs[n - 1 - i]) (iota n), map (\x -> x + i32.sum xs) xs)
-- ---
[3i32, 2i32, 1i32]
[7i32, 8i32, 9i32]
