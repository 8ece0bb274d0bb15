-- case: check
-- Language reference, "Size Types": the size of `iota (length xs)` is that expression, not the size of `xs`.
def main [n] (xs: [n]i32): [n]i64 = iota (length xs)
-- ---
-- E0301 3:37 the sizes [n] and [length xs] differ
--   expected [n]i64, this is [length xs]i64
--   3:11 the size n is a parameter
--   3:15 `xs` is bound here
--   3:28 because the result has the type [n]i64
--   if they are equal when the program runs, say so with `:>`
