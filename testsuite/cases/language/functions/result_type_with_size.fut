-- case: run ( 3i64 )
def table (n: i64) : [n]i64 = tabulate n (\i -> i * i)
def main (n: i64) = (table n, map2 (-) (table 4) (iota 4))
-- ---
[0i64, 1i64, 4i64]
[0i64, 0i64, 2i64, 6i64]
