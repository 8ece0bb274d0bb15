-- case: run ( [1i32, 2i32] )
def dup 'a (x: a) = (x, x)
def main (xs: []i32) = let (ps, qs) = unzip (map dup xs) let ((a, b), _) = dup (dup xs) in (ps, qs, a, b)
-- ---
[1i32, 2i32]
[1i32, 2i32]
[1i32, 2i32]
[1i32, 2i32]
