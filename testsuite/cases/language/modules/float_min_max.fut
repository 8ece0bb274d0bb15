-- case: run ( f32.nan 1f32 )
-- The minimum and the maximum of a number and a NaN are the number.
def main (n: f32) (x: f32) = (f32.min n x, f32.max x n, f32.min (-x) x, f32.max n n)
-- ---
1.0f32
1.0f32
-1.0f32
f32.nan
