-- case: run ( 2i64 [5i32, 6i32] )
-- in place in map with copy
def main [n] (k: i64) (xs: [n]i32) = map (\i -> let ys = copy xs let ys[0] = i32.i64 i in ys) (iota k)
-- ---
[[0i32, 6i32], [1i32, 6i32]]
