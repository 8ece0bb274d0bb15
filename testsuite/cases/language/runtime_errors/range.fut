-- case: run ( 5i32 3i32 )
def main (a: i32) (b: i32) = a...b
-- ---
Range is invalid: it ends before it starts at range.fut:2:30 in main
