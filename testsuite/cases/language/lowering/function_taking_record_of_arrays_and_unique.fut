-- case: run ( 2i64 )
-- function taking record of arrays and unique
def f [n] ({xs, ys}: {xs: *[n]i32, ys: [n]i32}) = scatter xs (iota n) ys
def main (n: i64) = f {xs = replicate n 1, ys = replicate n 3}
-- ---
[3i32, 3i32]
