-- case: run ( 3i64 2i64 )
def main (n: i64) (m: i64) = (tabulate n (* 2), tabulate_2d n m (\i j -> i - j), tabulate_3d m 1 n (\i j k -> i + j * k), tabulate 0 (/ 0))
-- ---
[0i64, 2i64, 4i64]
[[0i64, -1i64], [1i64, 0i64], [2i64, 1i64]]
[[[0i64, 0i64, 0i64]], [[1i64, 1i64, 1i64]]]
empty([0]i64)
