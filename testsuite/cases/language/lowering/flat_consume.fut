-- case: run ( 4i64 )
-- flat consume
def main (n: i64) = let xs = replicate 2 (replicate 2 0i32) let ys = flatten xs let ys[3] = 1 in ys
-- ---
[0i32, 0i32, 0i32, 1i32]
