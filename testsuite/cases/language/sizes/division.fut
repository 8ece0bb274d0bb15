-- case: run ( [1i32, 2i32, 3i32, 4i32] )
def halve [n] (xs: [n]i32) = xs[0:n / 2]
def main (xs: []i32) = map2 (+) (halve xs) (halve xs)
-- ---
[2i32, 4i32]
