-- case: run ( 1i32 )
def main (a: i32) = a..2..>5
-- ---
-- Range 1..2..>5 is invalid at range_wrong_direction.fut:2:21 in main
