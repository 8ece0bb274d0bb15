-- case: run ( [5i32, 6i32] )
-- concat of map results
def main [n] (xs: [n]i32) = let ys = map (+ 1) xs ++ map (* 2) xs in ys[n]
-- ---
10i32
