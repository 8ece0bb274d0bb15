-- case: run ( [7.5f32, -7.5f32, 7.5f32] [2f32, 2f32, -2f32] )
def main [n] (xs: [n]f32) (ys: [n]f32) = map2 (%) xs ys
-- ---
[1.5f32, 0.5f32, -0.5f32]
