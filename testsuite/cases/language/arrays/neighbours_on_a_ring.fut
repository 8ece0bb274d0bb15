-- case: run main ( [1i32, 2i32, 4i32, 8i32, 16i32] )
-- The neighbours are at `i - 1` and `i + 1`; three back is where `i + n - 3` leads.
entry main [n] (xs: [n]i32): [n]i32 = tabulate n (\i -> xs[(i + n - 1) % n] + xs[(i + 1) % n] + 100 * xs[(i + n - 3) % n])
-- ---
-- [418i32, 805i32, 1610i32, 120i32, 209i32]
