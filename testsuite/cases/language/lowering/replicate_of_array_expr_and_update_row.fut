-- case: run ( 2i64 2i64 )
-- replicate of array expr and update row
def main (n: i64) (m: i64) = let a = replicate n (replicate m 0i32) let a[1] = map i32.i64 (iota m) let a[0, 1] = 9 in a
-- ---
[[0i32, 9i32], [0i32, 1i32]]
