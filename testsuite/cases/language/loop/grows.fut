-- case: run ( 5i64 )
def main (n: i64) = loop xs = [] for i < n do xs ++ [i * i]
-- ---
[0i64, 1i64, 4i64, 9i64, 16i64]
