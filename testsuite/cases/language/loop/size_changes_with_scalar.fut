-- case: run ( 100i64 )
def main (n: i64) = let (k, xs) = loop (k, xs) = (n, [n]) while k > 1 do (k / 2, xs ++ [k / 2]) in (k, xs)
-- ---
1i64
[100i64, 50i64, 25i64, 12i64, 6i64, 3i64, 1i64]
