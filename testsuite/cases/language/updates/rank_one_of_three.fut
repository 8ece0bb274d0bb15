-- case: run ( 2i64 )
def main (n: i64) = let a = replicate n (replicate 2 (replicate 2 0i32)) let a[1, 0] = [5, 6] let a[0, :, 1] = [7, 8] in a
-- ---
[[[0i32, 7i32], [0i32, 8i32]], [[5i32, 6i32], [0i32, 0i32]]]
