-- case: check
-- Language reference, "Recursive functions": other sizes need explicit size parameters.
def f (xs: []i32): i32 = if null xs then 0 else xs[0] + f (tail xs)
-- ---
-- E0301 3:59 the sizes [_] and [_ - 1] differ
--   expected [_]i32, this is [_ - 1]i32
--   3:57 expected [_]i32 as argument 1 of this
--   if they are equal when the program runs, say so with `:>`
