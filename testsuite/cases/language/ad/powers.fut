-- case: run ( 0.0f64 )
-- Derivatives that exist where the formula divides by zero.
def main (x: f64) = (jvp (\x -> x ** 0) x 1, vjp (\(x, y) -> x ** y) (x, 2) 1, jvp (\(x: i32) -> x ** 1) 0 1)
-- ---
0.0f64
0.0f64
0.0f64
1i32
