-- case: run main ( 7i64 3i64 )
-- Quotients and remainders of the counter; the last row is not full.
entry main (n: i64) (w: i64): [n]i64 = map (\i -> 10 * (i / w) + i % w) (iota n)
-- ---
-- [0i64, 1i64, 2i64, 10i64, 11i64, 12i64, 20i64]
