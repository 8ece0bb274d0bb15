-- case: run ( 3i32 4i32 )
-- An entry whose result is a function takes its parameters too.
entry main (x: i32) = \(y: i32) -> x - y
-- ---
-1i32
