-- case: run ( 2i64 )
-- scatter rows
def main (n: i64) = scatter (replicate 3 [0i32, 0]) [2, 0] [[1, 2], [3, 4]]
-- ---
[[3i32, 4i32], [0i32, 0i32], [1i32, 2i32]]
