-- case: run ( [0i32, 1i32, -1i32, 80i32] )
def main [n] (xs: [n]i32) = (map i32.popc xs, map i32.clz xs, map i32.ctz xs)
-- ---
[0i32, 1i32, 32i32, 2i32]
[32i32, 31i32, 0i32, 25i32]
[32i32, 0i32, 0i32, 4i32]
