-- case: run ( 2i64 )
-- reduce_by_index_2d
def main (n: i64) = reduce_by_index_2d (replicate 2 (replicate 2 0i32)) (+) 0 [(0, 1), (0, 1), (5, 5)] [1, 2, 3]
-- ---
[[0i32, 3i32], [0i32, 0i32]]
