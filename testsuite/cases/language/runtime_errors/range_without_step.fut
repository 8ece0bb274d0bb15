-- case: run ( 5i32 )
def main (a: i32) = a..a...10
-- ---
Range is invalid: its step is zero or has the wrong direction at range_without_step.fut:2:21 in main
