-- case: run ( 1i32 0i32 )
def main (x: i32) (y: i32) = x / y
-- ---
division by zero at division_by_zero.fut:2:30 in main
