-- case: run ( [3i64, 1i64, 4i64] )
-- A map whose inner sizes differ from element to element runs its body in sequence.
def main (xs: []i64) = map (\n -> i64.sum (map (\i -> i * i) (iota n))) xs
-- ---
[5i64, 0i64, 14i64]
