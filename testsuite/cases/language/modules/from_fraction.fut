-- case: run ( 1i64 4i64 )
def main (a: i64) (b: i64) = (f32.from_fraction a b, f64.from_fraction a 3)
-- ---
0.25f32
0.3333333333333333f64
