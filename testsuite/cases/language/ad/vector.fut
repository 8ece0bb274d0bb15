-- case: run ( [1.0f64, 2.0f64] )
-- ad.fut, jmp and mjp: for several tangents or cotangents.
def f (xs: [2]f64) = [xs[0] * xs[1], xs[0] + xs[1], 3 * xs[1]]
def main (xs: [2]f64) = (jmp f xs [[1, 0], [0, 1]], mjp f xs [[1, 0, 0], [0, 1, 0], [0, 0, 1]], (mjp2 f xs [[1, 1, 1]]).0)
-- ---
[[2.0f64, 1.0f64, 0.0f64], [1.0f64, 1.0f64, 3.0f64]]
[[2.0f64, 1.0f64], [1.0f64, 1.0f64], [0.0f64, 3.0f64]]
[2.0f64, 3.0f64, 6.0f64]
