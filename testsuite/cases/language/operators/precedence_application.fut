-- case: run ( 3i32 )
def f (x: i32) = x * 10
def main (x: i32) = (f x + 1, f x ** 2, 1 + f x * 2)
-- ---
31i32
900i32
61i32
