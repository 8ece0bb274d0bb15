-- case: run ( true [1i32, 2i32] )
def main [n] (b: bool) (xs: [n]i32) = let ys = if b then xs else map (+ 1) xs in map2 (-) ys xs
-- ---
[0i32, 0i32]
