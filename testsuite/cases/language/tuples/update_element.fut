-- case: run ( 2i64 )
def main (n: i64) = unzip (map (\i -> (i, -i)) (iota (n + 1)) with [1] = (10, 20))
-- ---
[0i64, 10i64, 2i64]
[0i64, 20i64, -2i64]
