-- case: run ( 2.0f64 )
-- ad.fut, jvp: the derivative in a direction, at the type of the result.
def main (x: f64) = (jvp (\x -> x * x * x) x 1, jvp (\x -> (x + 1, x / 2)) x 4)
-- ---
12.0f64
4.0f64
2.0f64
