-- case: run ( 5i32 3i32 )
def main (a: i32) (b: i32) = a...b
-- ---
-- Range 5...3 is invalid at range.fut:2:30 in main
