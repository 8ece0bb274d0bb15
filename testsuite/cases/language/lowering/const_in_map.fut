-- case: run ( 3i64 )
-- const in map
def table = map (\i -> i * i) (iota 5) def main (n: i64) = map (\i -> table[i]) (iota n)
-- ---
[0i64, 1i64, 4i64]
