-- case: run ( [0i32, 1i32, 2i32] 100i64 )
def main (xs: []i32) (s: i64) = (xs[::s], xs[1::s], xs[2:0:-s])
-- ---
[0i32]
[1i32]
[2i32]
