-- case: run ( [1i32, 2i32, 3i32, 4i32] 2i64 )
def main (xs: []i32) (k: i64) = map2 (+) xs[:k] xs[0:k]
-- ---
[2i32, 4i32]
