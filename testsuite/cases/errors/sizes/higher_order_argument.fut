-- case: check
def f [n] (g: [n]i32 -> [n]i32) (xs: [n]i32) = g xs
def main (xs: []i32) = f (\ys -> ys ++ ys) xs
-- ---
-- E0301 3:26 the sizes [_] and [_ + _] differ
--   expected [_]i32 -> [_]i32, this is [_]i32 -> [_ + _]i32
--   3:24 expected [_]i32 -> [_]i32 as argument 1 of this
--   if they are equal when the program runs, say so with `:>`
