-- case: check
def f (n: i64): [n]i64 = sized n (if n == 0 then [] else let rows = map f [n - 1] in [n - 1] ++ rows[0])
-- ---
-- E0302 2:73 the size of this function's result is not the same for all arguments
--   this is (n: i64) -> [n]i64
--   2:69 expected i64 -> _ as argument 1 of this
--   compute the size before the function, bind it with `let`, or coerce the result with `:>`
