-- case: run ( 2i64 )
-- hist of arrays rows
def main (n: i64) = reduce_by_index (replicate 2 [0i32, 0]) (map2 (+)) [0, 0] [0, 1, 1] [[1, 2], [3, 4], [5, 6]]
-- ---
[[1i32, 2i32], [8i32, 10i32]]
