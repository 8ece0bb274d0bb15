-- case: run ( [1i32, 5i32, 2i32] )
def apply '~a '~b (f: a -> b) (x: a) : b = f x
def main (xs: []i32) = apply (filter (> 1)) xs
-- ---
[5i32, 2i32]
