-- case: check
entry main 'a (x: a) = x
-- ---
E0217 2:7 the entry point `main` has the open type a -> a
  give its parameters types
