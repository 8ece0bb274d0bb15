-- case: run ( 1i32 )
def main (a: i32) = a..2..>5
-- ---
Range is invalid: its step is zero or has the wrong direction at range_wrong_direction.fut:2:21 in main
