-- case: run ( [3i64, 1i64, 4i64] )
-- Three levels, each of a size of its own.
def main (xs: []i64) = reduce (+) 0 (map (\n -> i64.sum (map (\k -> i64.sum (map (\j -> j * 0 + 1) (iota k))) (iota n))) xs)
-- ---
9i64
