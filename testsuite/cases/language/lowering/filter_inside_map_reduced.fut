-- case: run ( 3i64 [1i32, 2i32, 3i32] )
-- filter inside map, reduced
def main [n] (k: i64) (xs: [n]i32) = map (\i -> reduce (+) 0 (filter (\x -> i64.i32 x > i) xs)) (iota k)
-- ---
[6i32, 5i32, 3i32]
