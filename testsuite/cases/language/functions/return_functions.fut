-- case: run ( 3i32 )
def adder (k: i32) = \(x: i32) -> x + k
def linear (a: i32) : i32 -> i32 -> i32 = let b = a * a in \x y -> b * x + y
def main (x: i32) = (adder 1 x, adder x 1, linear x 2 1)
-- ---
4i32
4i32
19i32
