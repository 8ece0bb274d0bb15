-- case: run ( [1i32, 2i32] )
def f (a: i32, k: i32) (x: i32) = a * x + k
def main (xs: []i32) = map (f (10, 1)) xs
-- ---
[11i32, 21i32]
