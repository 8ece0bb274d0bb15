-- case: run ( 3i64 )
def main (n: i64) = iota n with [0] = 5 with [1] = 6 with [2] = 7
-- ---
[5i64, 6i64, 7i64]
