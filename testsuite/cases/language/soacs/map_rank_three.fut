-- case: run ( 2i64 )
def main (n: i64) = map (map (map (\x -> x * x))) (tabulate_3d n 2 3 (\i j k -> i + j + k))
-- ---
[[[0i64, 1i64, 4i64], [1i64, 4i64, 9i64]], [[1i64, 4i64, 9i64], [4i64, 9i64, 16i64]]]
