-- case: run main ( 5i64 -2i64 )
-- Quotients round down, remainders have the sign of the divisor.
entry main (n: i64) (w: i64): ([n]i64, [n]i64) = unzip (map (\i -> (i / w, i % w)) (iota n))
-- ---
-- [0i64, -1i64, -1i64, -2i64, -2i64]
-- [0i64, -1i64, 0i64, -1i64, 0i64]
