-- case: run ()
def main = (f32.nan, f32.inf, -f32.inf, f64.nan, -f64.inf, -0.0f32, f16.inf)
-- ---
f32.nan
f32.inf
-f32.inf
f64.nan
-f64.inf
-0.0f32
f16.inf
