-- case: check
entry main (f: i32 -> i32) = f 1
-- ---
E0217 2:7 the entry point `main` takes or gives a function
