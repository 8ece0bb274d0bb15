-- case: run ( -1i64 )
def main (n: i64) = iota n
-- ---
-- Range 0..1..<-1 is invalid: negative size given to iota at negative_iota.fut:2:21 in main
