-- case: run main ( [7i32] )
entry main [n] (xs: [n]i32): [n]i32 = tabulate n (\i -> xs[(i + n - 1) % n] + xs[(n + i) % n])
-- ---
-- [14i32]
