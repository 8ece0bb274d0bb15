-- case: run ( 2i64 )
-- function consuming component of tuple
def f [n] (xs: *[n]i32, i: i64): *[n]i32 = xs with [i] = 0
def main (n: i64) = f (replicate n 1, 1)
-- ---
[1i32, 0i32]
