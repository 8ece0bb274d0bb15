-- case: run ( [1i32, 2i32] )
-- function param returning arrays of given size
def build [n] (f: i64 -> [n]i32) (k: i64): [k][n]i32 = map f (iota k)
def main [n] (xs: [n]i32) = build (\i -> map (+ i32.i64 i) xs) 2
-- ---
[[1i32, 2i32], [2i32, 3i32]]
