-- case: run ( [1i32, 2i32] )
-- literal with computed array rows of existential size
def main [n] (xs: [n]i32) = let ys = filter (> 1) xs in [ys, map (+ 1) ys]
-- ---
[[2i32], [3i32]]
