-- case: run ( 1.0000000000000002f64 1.001f16 )
-- With x = 1 + 2^-52, x * x is 1 + 2^-51 + 2^-104: rounding before the sum would lose the last part. So with f16.
def main (x: f64) (y: f16) = (f64.fma x x (1 - 2 * x) == 0x1.0p-104f64, x * x + (1 - 2 * x), f16.fma y y (1 - 2 * y))
-- ---
true
0.0f64
9.5e-7f16
