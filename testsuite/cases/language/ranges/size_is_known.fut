-- case: run ( 4i64 )
def main (n: i64) = (map2 (+) (0..<n) (iota n), map2 (*) (0..1..<n) (iota n))
-- ---
[0i64, 2i64, 4i64, 6i64]
[0i64, 1i64, 4i64, 9i64]
