-- case: check
-- Language reference, "x..y..<z": with a written step only `0..1..<n` and `1..2...n` have known sizes.
def main (n: i64): [n]i64 = 1..2..<n + 1
-- ---
-- E0301 3:29 the sizes [n] and [k] differ
--   expected [n]i64, this is [k]i64
--   3:11 `n` is bound here
--   3:29 the size of this range
--   3:20 because the result has the type [n]i64
--   if they are equal when the program runs, say so with `:>`
