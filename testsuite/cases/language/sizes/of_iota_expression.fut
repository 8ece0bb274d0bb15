-- case: run ( 3i64 )
def main (n: i64) = map2 (+) (iota (n + 1)) (replicate (n + 1) 5)
-- ---
[5i64, 6i64, 7i64, 8i64]
