-- case: run ( 3i32 )
def f (x: i32) = x + 1
def main (x: i32) = let f x = f (f x) in let f x = f (f x) in f x
-- ---
7i32
