-- case: run ( 2i64 )
-- constants
def table = map (\i -> i * i) (iota 5) def main (i: i64) = table[i] + reduce (+) 0 table
-- ---
34i64
