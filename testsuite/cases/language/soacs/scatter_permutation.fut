-- case: run ( [2i64, 0i64, 3i64, 1i64] )
def main [n] (p: [n]i64) = let inv = scatter (replicate n 0) p (iota n) in (inv, map (\i -> inv[p[i]]) (iota n))
-- ---
[1i64, 3i64, 0i64, 2i64]
[0i64, 1i64, 2i64, 3i64]
