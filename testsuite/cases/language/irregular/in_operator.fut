-- case: run ( [3i64, 1i64, 4i64] )
-- The operator of a reduction makes arrays of sizes that depend on its operands.
def main (xs: []i64) = reduce (\a b -> i64.sum (map (const 1) (iota a)) + i64.sum (map (const 1) (iota b))) 0 xs
-- ---
8i64
