-- case: run ( 3i32 )
def f (a: i32) (b: i32) (c: i32) = a * 100 + b * 10 + c
def g = f 1
def main (x: i32) = let h = g x in (h 1, h 2, f x x x)
-- ---
131i32
132i32
333i32
