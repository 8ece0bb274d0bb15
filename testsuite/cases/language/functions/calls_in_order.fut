-- case: run ( 10i32 )
def f x = x + 1i32
def g x = f x * 2
def h x = g (f x) - f (g x)
def main (x: i32) = (f x, g x, h x)
-- ---
11i32
22i32
1i32
