-- case: check
def main [n] (xs: [n]i32) = loop ys: [n]i32 = xs for _i < 3i32 do ys ++ ys
-- ---
-- E0301 2:67 the sizes [n] and [n + n] differ
--   expected [n]i32, this is [n + n]i32
--   2:11 the size n is a parameter
--   2:34 the loop's parameter has the type [n]i32
--   if they are equal when the program runs, say so with `:>`
