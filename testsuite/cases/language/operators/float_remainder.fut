-- case: run ( [7.5f32, -7.5f32, 7.5f32] [2f32, 2f32, -2f32] )
-- The remainder of floats has the sign of the dividend, unlike that of integers.
def main [n] (xs: [n]f32) (ys: [n]f32) = (map2 (%) xs ys, map2 (\x y -> f64.f32 x % f64.f32 y) xs ys)
-- ---
[1.5f32, -1.5f32, 1.5f32]
[1.5f64, -1.5f64, 1.5f64]
