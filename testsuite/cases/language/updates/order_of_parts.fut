-- case: run ( [5i64, 1i64, 7i64] [0i64, 0i64, 0i64] )
-- Indices are evaluated before the value, which may consume what they read.
def consume (xs: *[]i64) : i64 = let xs[0] = xs[0] * 2 in xs[0]
def main (xs: *[]i64) (ys: *[]i64) = ys with [xs[1]] = consume xs
-- ---
[0i64, 10i64, 0i64]
