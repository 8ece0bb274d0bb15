-- case: run ( 1000i64 )
entry main (n: i64) = let xs = iota n in (i64.sum xs, reduce i64.max 0 (map2 (*) xs (reverse xs)), (scan (+) 0 xs)[n - 1])
-- ---
499500i64
249500i64
499500i64
