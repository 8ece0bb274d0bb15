-- case: run ( [1i32] )
-- concat zero
def main [n] (xs: [n]i32) = xs ++ []
-- ---
[1i32]
