-- case: run ( [3i32, 1i32] )
def (>->) 'a 'b 'c (f: a -> b) (g: b -> c) (x: a) : c = g (f x)
def total = reduce (+) 0i32
def count p = total >-> p
def main (xs: []i32) = (total xs, count (> 3) xs)
-- ---
4i32
true
