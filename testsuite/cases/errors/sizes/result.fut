-- case: check
def main [n] (xs: [n]i32) : [n]i32 = xs ++ xs
-- ---
-- E0301 2:38 the sizes [n] and [n + n] differ
--   expected [n]i32, this is [n + n]i32
--   2:11 the size n is a parameter
--   2:29 because the result has the type [n]i32
--   if they are equal when the program runs, say so with `:>`
