-- case: run ( [1i32, 2i32] [true, false] )
def main [n] (xs: [n]i32) (bs: []bool) = let (a, b) = (xs, bs) :> ([n]i32, [n]bool) in unzip (zip a b)
-- ---
[1i32, 2i32]
[true, false]
