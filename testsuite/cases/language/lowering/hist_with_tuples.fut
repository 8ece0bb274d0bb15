-- case: run ( 2i64 )
-- hist with tuples
def main (n: i64) = reduce_by_index (replicate 2 (0i32, 0i64)) (\(a, b) (c, d) -> (a + c, b + d)) (0, 0) [0, 1, 1] [(1, 1), (2, 2), (3, 3)]
-- ---
[1i32, 5i32]
[1i64, 5i64]
