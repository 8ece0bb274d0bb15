-- case: run ( )
def main = iota (-1)
-- ---
-- Range 0..1..<-1 is invalid: negative size given to iota at constant_negative_size.fut:2:12 in main
