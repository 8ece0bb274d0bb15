-- case: run ( 3i64 )
def main (n: i64) = let r = {xs = iota n, k = 1i32} let s = r with xs = replicate n 4 in (s.xs, s.k)
-- ---
[4i64, 4i64, 4i64]
1i32
