-- case: run ( 3i64 )
-- loop calling unique function
def upd [n] (xs: *[n]i64) (i: i64): *[n]i64 = xs with [i] = i * 2 def main (n: i64) = loop xs = replicate n 0 for i < n do upd xs i
-- ---
[0i64, 2i64, 4i64]
