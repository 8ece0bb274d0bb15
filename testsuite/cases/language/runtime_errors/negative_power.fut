-- case: run ( 2i32 -1i32 )
def main (x: i32) (y: i32) = x ** y
-- ---
negative exponent at negative_power.fut:2:30 in main
