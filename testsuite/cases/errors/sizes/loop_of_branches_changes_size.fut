-- case: check
def f [n] (k: i64) (x: [n]i64) =
  loop (p, q) = (x, x) for i < k do
    (map2 (+) x (if i > 1 then p else q), filter (> i) q)
-- ---
-- E0301 4:17 the sizes [n] and [k] differ
--   expected [n]i64, this is [k]i64
--   2:8 the size n is a parameter
--   4:18 the branches give different sizes
--   4:6 expected [n]i64 as argument 3 of this
--   if they are equal when the program runs, say so with `:>`
