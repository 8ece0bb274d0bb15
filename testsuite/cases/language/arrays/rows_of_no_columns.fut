-- case: run main ( 4i64 0i64 )
entry main (n: i64) (w: i64): [n]i64 = map (\i -> i / w + i % 3) (iota n)
-- ---
-- division by zero at rows_of_no_columns.fut:2:51 in main
