-- case: run ( [1i32, 2i32] )
type table [n] 'k 'v = ([n]k, [n]v)
def main [n] (xs: [n]i32) = let t : table [n] i32 bool = (xs, map (> 1) xs) in t
-- ---
[1i32, 2i32]
[false, true]
