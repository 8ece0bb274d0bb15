-- case: run ( 5i32 [1i32, 2i32] )
-- Language reference, "Recursive functions": an entry point may call itself.
entry main [n] (k: i32) (xs: [n]i32): [n]i32 = if k == 0 then xs else main (k - 1) (map (* 2) xs)
-- ---
[32i32, 64i32]
