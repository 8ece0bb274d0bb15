-- case: run ( [f32.nan, f32.inf, -f32.inf, 1f32] )
def main [n] (xs: [n]f32) = (map f32.isnan xs, map f32.isinf xs, f64.isnan (0 / 0), f16.isinf 1)
-- ---
[true, false, false, false]
[false, true, true, false]
true
false
