-- case: check
def f [n] (x: i32) = x + i32.i64 n
def main (x: i32) = f x
-- ---
E0305 2:8 the size parameter n is not a size of any parameter
