-- case: run ( 4i64 0i64 )
def main (n: i64) (z: i64) = (iota n, iota z, map i32.i64 (iota n), indices "abc")
-- ---
[0i64, 1i64, 2i64, 3i64]
empty([0]i64)
[0i32, 1i32, 2i32, 3i32]
[0i64, 1i64, 2i64]
