-- case: run ( [-1i64, 0i64, 3i64, 1i64, 9223372036854775807i64] )
-- Indices outside the destination are ignored.
def main [n] (is: [n]i64) = reduce_by_index (replicate 3 0i32) (+) 0 is (replicate n 1)
-- ---
[1i32, 1i32, 0i32]
