-- case: run ( 3i64 )
def fresh (n: i64) : *[n]i64 = iota n
def main (n: i64) = let xs = fresh n with [0] = 5 let ys = fresh n in (xs, ys)
-- ---
[5i64, 1i64, 2i64]
[0i64, 1i64, 2i64]
