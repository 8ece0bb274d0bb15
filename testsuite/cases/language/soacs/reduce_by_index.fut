-- case: run ( [0i64, 2i64, 0i64, 1i64, 2i64] [1i32, 2i32, 3i32, 4i32, 5i32] )
def main [n] (is: [n]i64) (xs: [n]i32) =
  (reduce_by_index (replicate 4 0) (+) 0 is xs, reduce_by_index (replicate 3 i32.lowest) i32.max i32.lowest is xs)
-- ---
[4i32, 4i32, 7i32, 0i32]
[3i32, 4i32, 5i32]
