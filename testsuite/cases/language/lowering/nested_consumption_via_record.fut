-- case: run ( 2i64 )
-- nested consumption via record
def main (n: i64) = let r = {xs = replicate n 0i32, k = 1i32} in (r with xs = (copy r.xs with [0] = r.k)).xs
-- ---
[1i32, 0i32]
