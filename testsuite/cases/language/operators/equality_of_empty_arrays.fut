-- case: run ( empty([0]f32) )
def main [n] (xs: [n]f32) = (xs == xs, xs != map (+ 1) xs)
-- ---
true
false
