-- case: run ( 2i64 )
-- update nested array of tuple of arrays
def main (n: i64) = let ps = replicate 2 (replicate n 0i32, 5i32) let ps[0] = (replicate n 1, 6) in (unzip ps).0
-- ---
[[1i32, 1i32], [0i32, 0i32]]
