-- case: run ( [1i32, 2i32] [3i32, 4i32] 3i32 )
def main [n] (xs: [n]i32) (ys: [n]i32) (k: i32) = loop (a, b) = (xs, ys) for _i < k do (b, a)
-- ---
[3i32, 4i32]
[1i32, 2i32]
