-- case: run ( [1i64, 2i64] 2i64 [[5i64]] )
-- Sizes: where a sum has two unknowns, its terms are told apart as they are written, expressions and products too.
def main [l] [a] [b] (ks: [l]i64) (n: i64) (xss: [a][b]i64) =
  let (p, q) = split (tabulate (i64.sum ks + n) id)
  let (r, s) = split (flatten xss ++ iota n)
  in (length p, length q, length r, length s)
-- ---
-- 3i64
-- 2i64
-- 1i64
-- 2i64
