-- case: run ( 5i64 )
entry main (n: i64) : ?[k].[k]i64 = filter (\x -> x % 2 == 1) (iota n)
-- ---
[1i64, 3i64]
