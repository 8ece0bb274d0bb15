-- case: run ( 2i64 )
def main (n: i64) = flatten_4d (replicate n (replicate 1 [[1i32, 2], [3, 4]]))
-- ---
[1i32, 2i32, 3i32, 4i32, 1i32, 2i32, 3i32, 4i32]
