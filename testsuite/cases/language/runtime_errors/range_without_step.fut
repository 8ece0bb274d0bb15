-- case: run ( 5i32 )
def main (a: i32) = a..a...10
-- ---
-- Range 5..5...10 is invalid at range_without_step.fut:2:21 in main
