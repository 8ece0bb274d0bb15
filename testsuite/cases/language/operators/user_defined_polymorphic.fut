-- case: run ( [1i32, 2i32] )
def (>->) 'a 'b 'c (f: a -> b) (g: b -> c) (x: a) : c = g (f x)
def main (xs: []i32) = map ((+ 1) >-> (* 2) >-> i64.i32) xs
-- ---
[4i64, 6i64]
