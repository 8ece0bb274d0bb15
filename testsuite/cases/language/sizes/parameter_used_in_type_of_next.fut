-- case: run ( 2i64 [1i32, 2i32] )
def f (n: i64) (xs: [n]i32) = map2 (+) xs (replicate n 1)
def main (n: i64) (xs: []i32) = f n (xs :> [n]i32)
-- ---
[2i32, 3i32]
