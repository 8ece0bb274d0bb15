-- case: check
def f (n: i64): [f n]i64 = iota n
-- ---
-- E0219 2:18 the type of `f` cannot mention `f`
