-- case: run ( -1i64 )
def main (n: i64) = iota n
-- ---
-- Negative size -1 given to iota at negative_iota.fut:2:21 in main
