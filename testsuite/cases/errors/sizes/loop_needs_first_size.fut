-- case: check
def f [n] (k: i64) (x: [n]i64) =
  loop xs = x for i < k do let ys = map2 (+) x xs in filter (> i) ys
-- ---
-- E0301 3:28 the sizes [n] and [k] differ
--   expected [n]i64, this is [k]i64
--   2:8 the size n is a parameter
--   3:54 the size k is decided by this when it runs
--   3:8 the loop's parameter has the type [n]i64
--   if they are equal when the program runs, say so with `:>`
