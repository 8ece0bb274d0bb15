-- case: run ( 2i64 )
def main (n: i64) = let a = tabulate_3d n 3 1 (\i j k -> i * 10 + j + k) in (transpose a, map transpose a, transpose (map transpose a))
-- ---
[[[0i64], [10i64]], [[1i64], [11i64]], [[2i64], [12i64]]]
[[[0i64, 1i64, 2i64]], [[10i64, 11i64, 12i64]]]
[[[0i64, 1i64, 2i64], [10i64, 11i64, 12i64]]]
