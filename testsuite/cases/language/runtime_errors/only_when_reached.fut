-- case: run ( 0i32 )
-- The branch that divides by zero is taken.
def main (x: i32) = if x == 0 then 10 / x else x
-- ---
division by zero at only_when_reached.fut:3:36 in main
