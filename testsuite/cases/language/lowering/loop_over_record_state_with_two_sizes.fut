-- case: run ( 4i64 )
-- loop over record state with two sizes
def main (n: i64) = loop (a, b) = (iota n, [7i64]) for i < 2i32 do (tail a, b ++ take 1 a)
-- ---
[2i64, 3i64]
[7i64, 0i64, 1i64]
