-- case: run ( [1i32, 2i32] )
def extend [n] (xs: [n]i32) : [n + 1]i32 = xs ++ [0]
def double [n] (xs: [n]i32) : [n * 2]i32 = flatten (map (\x -> [x, x]) xs)
def main (xs: []i32) = (extend xs, double xs, double (extend xs), map2 (+) (extend xs) (extend xs))
-- ---
[1i32, 2i32, 0i32]
[1i32, 1i32, 2i32, 2i32]
[1i32, 1i32, 2i32, 2i32, 0i32, 0i32]
[2i32, 4i32, 0i32]
