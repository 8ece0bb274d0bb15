-- case: run ( [1i64, 3i64, 2i64] )
-- The inner array has another size in each iteration.
def main (ns: []i64) = map (\n -> i64.sum (map (\i -> i * i) (iota n))) ns
-- ---
[0i64, 5i64, 1i64]
