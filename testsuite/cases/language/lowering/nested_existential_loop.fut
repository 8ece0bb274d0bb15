-- case: run ( 3i64 )
-- nested existential loop
def main (n: i64) = loop (xs, k) = ([0i64], 0i64) while k < n do (filter (\x -> x != 5) (xs ++ iota k), k + 1)
-- ---
[0i64, 0i64, 0i64, 1i64]
3i64
