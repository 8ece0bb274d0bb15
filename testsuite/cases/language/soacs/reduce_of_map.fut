-- case: run ( [1i32, 2i32, 3i32] [4i32, 5i32, 6i32] )
def main [n] (xs: [n]i32) (ys: [n]i32) = (reduce (+) 0 (map2 (*) xs ys), reduce (+) 0 (map (\i -> i * i) (iota n)))
-- ---
32i32
5i64
