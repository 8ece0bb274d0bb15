-- case: run ( [1i32, 2i32] )
-- local polymorphic with captured sizes
def main [n] (xs: [n]i32) = let f 'a (x: a): [n]a = replicate n x in (f 1i32, f true, map2 (+) xs (f 5))
-- ---
[1i32, 1i32]
[true, true]
[6i32, 7i32]
