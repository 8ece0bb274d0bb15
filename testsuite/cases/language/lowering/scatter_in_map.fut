-- case: run ( 2i64 [5i32, 6i32] )
-- scatter in map
def main [n] (k: i64) (xs: [n]i32) = map (\i -> scatter (replicate 3 0i32) (map (\x -> (i64.i32 x + i) % 3) xs) xs) (iota k)
-- ---
[[6i32, 0i32, 5i32], [5i32, 6i32, 0i32]]
