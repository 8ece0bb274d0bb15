-- case: run sum ( 3i64 )
-- An entry point may be called what a module of the prelude calls a function that the program uses.
entry sum (n: i64) = n
entry other (n: i64) = f64.sum (map f64.i64 (iota n))
-- ---
3i64
