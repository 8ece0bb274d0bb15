-- case: run ( [1i64, 0i64, 2i64] )
def main (is: []i64) = map (\i -> replicate 3 0i64 with [i] = i + 10) is
-- ---
[[0i64, 11i64, 0i64], [10i64, 0i64, 0i64], [0i64, 0i64, 12i64]]
