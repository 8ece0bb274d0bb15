-- case: run ( -2i64 )
def main (n: i64) = replicate n true
-- ---
-- Negative size -2 given to replicate at negative_replicate.fut:2:21 in main
