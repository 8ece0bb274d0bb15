-- case: run ( empty([0]i32) )
def main [n] (xs: [n]i32) = (n, map (+ 1) xs, xs ++ xs, i32.sum xs, xs ++ [1], reverse xs)
-- ---
0i64
empty([0]i32)
empty([0]i32)
0i32
[1i32]
empty([0]i32)
